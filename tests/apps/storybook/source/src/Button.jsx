import "./button.css";

export const Button = ({ label, isPrimary }) => (
  <button type="button" className={isPrimary ? "button primary" : "button"}>{label}</button>
);
