import "./settings.css";

export default function Settings() {
  return <section className="settings"><h2>Settings</h2><label>Name <input defaultValue="Ana" /></label></section>;
}
