import { words } from "../../strings/interface.ts";
import { SlowWord } from "../components/slow-word.tsx";

/** Shown in place of a page while the page is loaded. */
export function PageLoading() {
	return (
		<main className="main" tabIndex={-1} aria-label={words.page.loading}>
			<div className="page">
				<SlowWord word={words.page.loadingPart} />
			</div>
		</main>
	);
}
