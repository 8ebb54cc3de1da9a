export default function About() {
  return <p data-ready>A second page.</p>;
}
