import { Application, Controller } from "@hotwired/stimulus";
import "./style.css";

Application.start().register(
  "tasks",
  class extends Controller {
    static values = { url: String };

    async connect() {
      this.element.innerHTML = await (await fetch(this.urlValue)).text();
    }
  },
);
