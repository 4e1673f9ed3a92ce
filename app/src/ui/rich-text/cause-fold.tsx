import { ChevronRight } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { visibleText } from "../text/visible-text.ts";
import { VisibleCode } from "./visible-code.tsx";

/** The raw message behind a sentence, folded. Invisible characters are shown, and nothing in it is interpreted. */
export function CauseFold({ text }: { readonly text: string }) {
	return (
		<details className="cause">
			<summary>
				<Icon of={ChevronRight} small className="chev" />
				{words.outcome.cause}
			</summary>
			<div className="cause-body">
				<VisibleCode text={text} label={words.outcome.cause} whole />
				<CopyButton text={() => visibleText(text, "keep").text} label={words.outcome.copyCause} word={words.outcome.copyCause} />
			</div>
		</details>
	);
}
