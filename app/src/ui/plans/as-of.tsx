import { WifiOff } from "lucide-react";
import { fill, words } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { formatTime } from "../text/format.ts";
import { usePlansAsOf } from "./use-plans.ts";

/** Shown after something that includes plans or their messages: the time at which it was last known, while it may be out of date. */
export function AsOf() {
	const asOf = usePlansAsOf();
	if (asOf === undefined) return null;
	return <span className="muted small normal"> {fill(words.sidebar.asOf, { time: formatTime(asOf) })}</span>;
}

/** The same at the top of a page, for everything on it, with the reason. */
export function AsOfLine() {
	const asOf = usePlansAsOf();
	const { state } = useApp();
	if (asOf === undefined) return null;
	return (
		<p className="st st-unk as-of">
			<Icon of={WifiOff} />
			{fill(state === "live" ? plansPageWords.asOfNoNews : plansPageWords.asOfNoApp, { time: formatTime(asOf) })}
		</p>
	);
}
