import { words } from "../../strings/interface.ts";
import { visibleText } from "../text/visible-text.ts";

interface VisibleCodeProps {
	readonly text: string;
	readonly label: string;
	readonly whole?: boolean;
}

/** Text from an agent, unchanged: invisible characters are shown, and nothing is executed. `whole` wraps and is never cut. */
export function VisibleCode({ text, label, whole = false }: VisibleCodeProps) {
	const { text: shown, escaped } = visibleText(text, "keep");
	return (
		<>
			{whole ? (
				<section aria-label={label}>
					<pre className="code whole">{shown}</pre>
				</section>
			) : (
				<section className="code-scroll" aria-label={label} tabIndex={-1}>
					<pre className="code">{shown}</pre>
				</section>
			)}
			{escaped > 0 && <p className="muted small hidden-say">{words.ask.hidden}</p>}
		</>
	);
}
