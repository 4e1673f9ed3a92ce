import { fill, words } from "../../strings/interface.ts";
import { visibleName } from "../text/visible-text.ts";
import { diffLines } from "./diff-lines.ts";

const signs = { same: " ", added: "+", removed: "−" } as const;
const names = { same: "l", added: "l a", removed: "l d" } as const;

interface DiffViewProps {
	readonly path: string;
	readonly oldText: string;
	readonly newText: string;
	/** True to wrap long lines and show every character. */
	readonly whole?: boolean;
}

/** A change, line by line. The sign of a line says the same as its color. */
export function DiffView({ path, oldText, newText, whole = false }: DiffViewProps) {
	const label = fill(words.thread.changesTo, { path: visibleName(path) });
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a horizontally scrolling block must be scrollable by keyboard
		<section className={whole ? "diff whole" : "diff"} aria-label={label} tabIndex={0}>
			{diffLines(oldText, newText).map(({ kind, text, before, after }) => (
				<div className={names[kind]} key={`${before ?? ""}:${after ?? ""}`}>
					<span>{before}</span>
					<span>{after}</span>
					<span>{signs[kind]}</span>
					<span>{visibleName(text.replaceAll("\t", "    "))}</span>
				</div>
			))}
		</section>
	);
}
