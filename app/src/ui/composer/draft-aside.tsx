import { words } from "../../strings/interface.ts";
import { oneLine, visibleProse } from "../text/visible-text.ts";
import type { ComposerOptions } from "./send-composed.ts";

/** A draft that is set aside while another message is edited and sent. */
export interface DraftAside {
	readonly prompt: string;
	readonly options: ComposerOptions;
	readonly isRequiring: boolean;
	/** The keys of the draft's files. The files stay attached, because only the user knows which message they belong to. */
	readonly files: ReadonlySet<string>;
	/** The text that was inserted in place of the draft. */
	readonly instead: string;
}

/** The text to save as the draft while another draft is set aside. It contains the texts of both, so that a reload loses neither. */
export function keptPrompt(prompt: string, aside: DraftAside | undefined): string {
	return aside === undefined ? prompt : `${prompt}\n\n${aside.prompt}`;
}

/**
 * The text to set aside when another message is put into the field; undefined if nothing is set aside yet and the user has written nothing.
 */
export function textAside(prompt: string, again: string, aside: DraftAside | undefined): string | undefined {
	if (prompt === "" || prompt === again || prompt === aside?.instead) return aside?.prompt;
	return keptPrompt(prompt, aside);
}

/** Says that the draft will be restored, and restores it at once on request. */
export function AsideNote({ aside, cancel }: { readonly aside: DraftAside; cancel(): void }) {
	return (
		<section className="queued" aria-label={words.composer.aside}>
			<p className="muted small">{words.composer.aside}</p>
			<ul>
				<li>
					<span className="cut grow" dir="auto" title={visibleProse(aside.prompt.slice(0, 1000))}>
						{oneLine(aside.prompt.slice(0, 300))}
					</span>
					<button type="button" className="btn" onClick={cancel}>
						{words.composer.asideCancel}
					</button>
				</li>
			</ul>
		</section>
	);
}
