import { HttpClient, provideHttpClient } from "@angular/common/http";
import { Component, inject } from "@angular/core";
import { toSignal } from "@angular/core/rxjs-interop";
import { bootstrapApplication } from "@angular/platform-browser";
import { provideRouter, RouterOutlet } from "@angular/router";
import { delay } from "rxjs";

@Component({
  template: `
    @if (tasks(); as found) {
      <ul data-ready>
        @for (task of found; track task) { <li>{{ task }}</li> }
      </ul>
    } @else {
      <p class="waiting">Loading</p>
    }
  `,
})
class Tasks {
  readonly tasks = toSignal(inject(HttpClient).get<string[]>("/data.json").pipe(delay(300)));
}

@Component({
  selector: "app-root",
  imports: [RouterOutlet],
  template: "<header><h1>Angular with data</h1></header><main><router-outlet /></main>",
})
class App {}

const routes = [{ path: "**", component: Tasks }];

bootstrapApplication(App, { providers: [provideHttpClient(), provideRouter(routes)] });
