import dynamic from "next/dynamic";
import Tasks from "./Tasks";

const Late = dynamic(() => import("./Late"), { loading: () => <p className="waiting">One moment</p> });

export default function Page() {
  return <><p>Rendered when it was built.</p><Tasks /><Late /></>;
}
