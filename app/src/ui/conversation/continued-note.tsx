import { GitBranch } from "lucide-react";
import { count, fill } from "../../strings/interface.ts";
import { menuWords } from "../../strings/threads/menu-words.ts";
import type { Continued } from "../../threads/domain/turn-record.ts";
import { Icon } from "../components/icon.tsx";
import { hrefOf } from "../state/route.ts";
import { visibleName } from "../text/visible-text.ts";

/** Names the thread that this one continues, and says how much of that thread its agent received. */
export function ContinuedNote({ continued }: { readonly continued: Continued }) {
	const { threadId, title, given, leftOut } = continued;
	const text = given === 0 ? menuWords.continuedScript : leftOut === 0 ? menuWords.continued : menuWords.continuedLess;
	return (
		<p className="said continued">
			<Icon of={GitBranch} small />
			<span>
				{fill(text, { title: visibleName(title), given: count(given, "message"), leftOut: count(leftOut, "earlier message") })}{" "}
				<a href={hrefOf({ page: "thread", threadId })}>{menuWords.continuedOpen}</a>
			</span>
		</p>
	);
}
