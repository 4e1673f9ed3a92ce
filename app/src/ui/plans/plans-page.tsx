import { words } from "../../strings/interface.ts";
import { PageBar } from "../components/page-bar.tsx";

export default function PlansPage() {
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={words.sidebar.plans} />
		</main>
	);
}
