import { createSSRApp, h, onMounted, ref } from "vue";

export const makeApp = () =>
  createSSRApp({
    setup() {
      const state = ref("rendered by the server");
      onMounted(() => setTimeout(() => (state.value = "taken over by the browser"), 200));
      return () => [
        h("header", h("h1", "Vue hydrated")),
        h("main", [
          h("ul", ["Ana", "Ben", "Cleo"].map((name) => h("li", name))),
          h("p", { "data-ready": state.value.startsWith("taken") ? "" : null }, `This page was ${state.value}.`),
        ]),
      ];
    },
  });
