import { Application, Controller } from "@hotwired/stimulus";

class Order extends Controller {
  static targets = ["count", "help"];

  send(event) {
    event.preventDefault();
    this.element.replaceChildren("Thank you.");
  }

  more() {
    this.countTarget.value = Number(this.countTarget.value) + 1;
  }

  help() {
    this.helpTarget.hidden = !this.helpTarget.hidden;
  }
}

Application.start().register("order", Order);
