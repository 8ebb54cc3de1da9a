import $ from "jquery";
import "./style.css";

$(() => {
  $.getJSON("data.json", (tasks) => {
    for (const task of tasks) $("<li>").text(task.name).appendTo("ul");
    $("ul").hide().slideDown(400, () => $(".note").fadeIn(300, () => $(".note").attr("data-ready", "")));
  });
});
