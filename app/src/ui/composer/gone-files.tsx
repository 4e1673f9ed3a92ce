import { X } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { visibleName } from "../text/visible-text.ts";
import { goneWords } from "./attach-again.ts";

interface GoneFilesProps {
	/** Files of an earlier message of which there is no copy, and that have not been attached again. */
	readonly names: readonly string[];
	dismiss(): void;
}

/** Says which files of an earlier message are not sent with it, until they are attached again. */
export function GoneFiles({ names, dismiss }: GoneFilesProps) {
	if (names.length === 0) return null;
	return (
		<section className="queued" aria-label={words.composer.notAttached}>
			<ul>
				<li>
					<span className="grow" dir="auto">
						{goneWords(names.map((name) => visibleName(name)))}
					</span>
					<button type="button" className="ib" aria-label={words.composer.hideNote} onClick={dismiss}>
						<Icon of={X} small />
					</button>
				</li>
			</ul>
		</section>
	);
}
