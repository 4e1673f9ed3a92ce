import { WifiOff } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { formatTime } from "../text/format.ts";
import { usePlansAsOf } from "./use-plans.ts";

/** Shown at the top of a page about plans while it may be out of date: says when everything on it was last known, and why. */
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
