import "./style.css";

export const metadata = { title: "Next, exported" };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <header><h1>Next, exported</h1></header>
        <main>{children}</main>
      </body>
    </html>
  );
}
