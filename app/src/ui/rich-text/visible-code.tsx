import { words } from "../../strings/interface.ts";
import { visibleText } from "../text/visible-text.ts";

interface VisibleCodeProps {
	readonly text: string;
	readonly label: string;
	readonly whole?: boolean;
}

/**
 * Text from an agent, unchanged. Invisible characters are shown, and nothing is interpreted. `whole`: long lines wrap, and nothing is cut
 * off.
 */
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
