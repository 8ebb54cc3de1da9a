export default function Settings() {
  return <ul data-ready><li>Language: English</li><li>Time zone: UTC</li><li>Theme: light</li></ul>;
}
