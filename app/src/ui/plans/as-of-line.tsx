import { WifiOff } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { asOfWords } from "../../strings/page/as-of-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { formatTime } from "../text/format.ts";
import { usePlansAsOf } from "./use-plans.ts";

/**
 * Shown at the top of a page about plans while it may be out of date: says when everything on it was last known, and why, unless the page
 * is only connecting to the app again.
 */
export function AsOfLine() {
	const asOf = usePlansAsOf();
	const { app, state } = useApp();
	if (asOf === undefined) return null;
	const { asOfNoNews, asOfNotRead } = plansPageWords;
	const said =
		state === "live" ? (app.plans?.asOf !== undefined ? asOfNoNews : asOfNotRead) : state === "gone" ? asOfWords.noApp : asOfWords.only;
	return (
		<p className="st st-unk as-of">
			<Icon of={WifiOff} />
			{fill(said, { time: formatTime(asOf) })}
		</p>
	);
}
