import { words } from "../../strings/interface.ts";
import { PageBar } from "../components/page-bar.tsx";

export default function ReviewPage(_: { readonly planId: string; readonly occurrenceId: string; readonly actionId?: string }) {
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={words.sidebar.plans} />
		</main>
	);
}
