import { createApp } from "petite-vue";

createApp().mount();
