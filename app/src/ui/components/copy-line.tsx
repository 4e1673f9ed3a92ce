import { fill, words } from "../../strings/interface.ts";
import { commandOf, readFix } from "../text/fix-line.ts";
import { visibleName } from "../text/visible-text.ts";
import { CopyButton } from "./copy-button.tsx";

/** A fix. A command in it is shown as code and can be copied on its own. */
export function CopyLine({ text }: { readonly text: string }) {
	const pieces = readFix(text);
	const command = commandOf(pieces);
	const hasWords = pieces.some((piece) => "text" in piece);
	// Copies exactly what is shown, so that nothing invisible gets into a terminal.
	const shown = command === undefined ? undefined : visibleName(command);
	return (
		<div className={`copyline ${hasWords ? "sentence" : ""}`}>
			<span className="wrap grow">
				{pieces.map((piece, index) => {
					const key = `${index} ${"text" in piece ? piece.text : piece.command}`;
					return "text" in piece ? (
						<span key={key}>{visibleName(piece.text)}</span>
					) : (
						<code key={key} className={hasWords ? "inline" : ""}>
							{visibleName(piece.command)}
						</code>
					);
				})}
			</span>
			{shown !== undefined && <CopyButton text={shown} label={fill(words.copy.commandOf, { command: shown })} word={words.copy.copy} />}
		</div>
	);
}
