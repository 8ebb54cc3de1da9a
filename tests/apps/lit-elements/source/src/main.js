import { css, html, LitElement } from "lit";
import { until } from "lit/directives/until.js";
import "./style.css";

class TaskBoard extends LitElement {
  static properties = { heading: { type: String } };
  static styles = css`
    h1 { margin: 0; padding: 16px 32px; color: white; background: #7a2f8f; }
    section { padding: 24px; }
  `;

  tasks = fetch("/data.json")
    .then((answer) => answer.json())
    .then((tasks) => tasks.map((task) => html`<task-row .task=${task} ?data-ready=${task.id === 3}></task-row>`));

  render() {
    return html`<h1>${this.heading}</h1><section>${until(this.tasks, html`<p>Loading</p>`)}</section>`;
  }
}

class TaskRow extends LitElement {
  static properties = { task: { attribute: false } };
  static styles = css`:host { display: block; margin: 8px 0; padding: 8px; background: #f3eaf6; }`;

  render() {
    return html`${this.task.name} <b>${this.task.owner}</b>`;
  }
}

customElements.define("task-board", TaskBoard);
customElements.define("task-row", TaskRow);
