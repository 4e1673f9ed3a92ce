import { fill, words } from "../../strings/interface.ts";
import { formatTime } from "../text/format.ts";
import { usePlansAsOf } from "./use-plans.ts";

/** Shown after something that includes plans or their messages: the time at which it was last known, while it may be out of date. */
export function AsOf() {
	const asOf = usePlansAsOf();
	if (asOf === undefined) return null;
	return <span className="muted small normal"> {fill(words.sidebar.asOf, { time: formatTime(asOf) })}</span>;
}
