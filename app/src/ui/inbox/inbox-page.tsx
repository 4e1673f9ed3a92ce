import { words } from "../../strings/interface.ts";
import { PageBar } from "../components/page-bar.tsx";

export default function InboxPage(_: { readonly messageId?: string }) {
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={words.sidebar.inbox} />
		</main>
	);
}
