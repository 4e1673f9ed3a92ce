import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";

/** A line to take along: what helps, as the app says it. */
export function CopyLine({ text }: { readonly text: string }) {
	const [isCopied, setCopied] = useState(false);
	return (
		<div className="copyline">
			<code className="wrap">{visibleName(text)}</code>
			<button
				type="button"
				className="btn"
				aria-label={fill(words.picker.copyCommand, { command: visibleName(text) })}
				onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
			>
				<Icon of={isCopied ? Check : Copy} />
				{isCopied ? words.picker.copied : words.picker.copy}
			</button>
		</div>
	);
}
