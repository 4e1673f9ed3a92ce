import { WifiOff } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { asOfWords } from "../../strings/page/as-of-words.ts";
import { useApp } from "../state/app-context.tsx";
import { formatTime } from "../text/format.ts";
import { Icon } from "./icon.tsx";

/** While the page has no contact with the app, says when it last had, because what the page shows may have changed since. */
export function AppSilentLine() {
	const { state, heardAt } = useApp();
	if (state === "live" || heardAt === undefined) return null;
	return (
		<p className="st st-unk">
			<Icon of={WifiOff} />
			{fill(state === "gone" ? asOfWords.noApp : asOfWords.only, { time: formatTime(heardAt) })}
		</p>
	);
}
