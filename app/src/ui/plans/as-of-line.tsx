import { WifiOff } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { formatTime } from "../text/format.ts";
import { usePlansAsOf } from "./use-plans.ts";

/** At the top of a page about plans: as of when everything on it is, while that may be out of date, and why. */
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
