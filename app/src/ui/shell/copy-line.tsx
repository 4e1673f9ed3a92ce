import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";

/** A line to take along: what helps, as the app says it. */
export function CopyLine({ text }: { readonly text: string }) {
	const [isCopied, setCopied] = useState(false);
	const { lead, command } = splitFix(text);
	// What is taken along is what stands there: nothing unseen gets into a terminal.
	const shown = visibleName(command);
	return (
		<div className="copyline">
			<span className="wrap grow">
				{lead !== "" && <span className="muted small">{visibleName(lead)} </span>}
				<code>{shown}</code>
			</span>
			<button
				type="button"
				className="btn"
				aria-label={fill(words.picker.copyCommand, { command: shown })}
				onClick={() => void navigator.clipboard.writeText(shown).then(() => setCopied(true))}
			>
				<Icon of={isCopied ? Check : Copy} />
				{isCopied ? words.picker.copied : words.picker.copy}
			</button>
		</div>
	);
}

/** "Install: npm install x" is a word for the person and a command to take along. Nothing but the look depends on it. */
export function splitFix(text: string): { readonly lead: string; readonly command: string } {
	const [, lead = "", command = text] = /^([A-Z][^:`/]{0,60}:) (\S.*)$/s.exec(text) ?? [];
	return { lead, command };
}
