// The text that form controls show.

const BUTTON_LABELS = { submit: "Submit", reset: "Reset" };
const SILENT_INPUTS = new Set(["hidden", "checkbox", "radio", "range", "color", "image"]);

// How the browser writes dates and times in its own locale, en-US.
/** @param {string} value */
export const inputDate = (value) => (value ? value.replace(/^(\d+)-(\d+)-(\d+)$/, "$2/$3/$1") : "mm/dd/yyyy");
/** @param {string} value */
export const inputTime = (value) => {
  if (!value) return "--:-- --";
  const [hours, minutes] = value.split(":");
  return `${String(+hours % 12 || 12).padStart(2, "0")}:${minutes} ${+hours < 12 ? "AM" : "PM"}`;
};
/** @typedef {{ text: string, isPlaceholder: boolean }} ControlText */
/** @type {(text: string, isPlaceholder?: boolean) => ControlText} */
const showing = (text, isPlaceholder = false) => ({ text, isPlaceholder });
/** @param {HTMLInputElement} element */
const inputText = (element) => {
  const { type, value } = element;
  const [day = "", time = ""] = value.split("T");
  if (type === "date") return showing(inputDate(value));
  if (type === "time") return showing(inputTime(value));
  if (type === "datetime-local") return showing(`${inputDate(day)}, ${inputTime(time)}`);
  if (type === "submit" || type === "reset") return showing(value || BUTTON_LABELS[type]);
  if (type === "file") return showing(`Choose File ${element.files?.[0]?.name ?? "No file chosen"}`);
  if (type === "password" && value) return showing("•".repeat(value.length));
  return value ? showing(value) : showing(element.placeholder ?? "", true);
};
export const controlText = (element, tag) => {
  if (tag === "select") return showing(element.selectedOptions[0]?.label ?? "");
  if (tag === "textarea") return element.value ? showing(element.value) : showing(element.placeholder, true);
  return SILENT_INPUTS.has(element.type) ? showing("") : inputText(element);
};
