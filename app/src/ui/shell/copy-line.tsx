import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { splitFix } from "../model/split-fix.ts";
import { visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { InlineCode } from "../parts/inline-code.tsx";
import { fill, words } from "../words/interface.ts";

/** What helps, as the app says it; a line for a terminal in it can be copied, a sentence cannot. */
export function CopyLine({ text }: { readonly text: string }) {
	const [isCopied, setCopied] = useState(false);
	// What is taken along is what stands there: nothing unseen gets into a terminal.
	const { lead, command, sentence } = splitFix(visibleName(text));
	return (
		<div className="copyline">
			<span className="wrap grow">
				{lead !== "" && <span className="muted small">{lead} </span>}
				{sentence === undefined ? <code>{command}</code> : <InlineCode text={sentence} />}
			</span>
			{command !== undefined && (
				<button
					type="button"
					className="btn"
					aria-label={fill(words.picker.copyCommand, { command })}
					onClick={() => void navigator.clipboard.writeText(command).then(() => setCopied(true))}
				>
					<Icon of={isCopied ? Check : Copy} />
					{isCopied ? words.picker.copied : words.picker.copy}
				</button>
			)}
		</div>
	);
}
