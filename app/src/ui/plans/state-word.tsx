import { WifiOff } from "lucide-react";
import { stateLabel } from "../../strings/plans/plan-words.ts";
import { Icon } from "../components/icon.tsx";
import { asOfWords } from "../turn/tool-line.ts";
import type { Look } from "./plan-look.ts";
import { usePlansAsOf } from "./use-plans.ts";

interface StateWordProps {
	readonly look: Look;
	readonly word: string;
	/** True for the one filled chip of a card. */
	readonly isChip?: boolean;
	/** True where there is no room for the word. Only screen readers get the word then. */
	readonly isIcon?: boolean;
}

/** A state as an icon and a word. If it may have changed since the bridge last reported, the word says when that was, and nothing moves. */
export function StateWord({ look: { icon, tone, moves = false, waits = false }, word, isChip = false, isIcon = false }: StateWordProps) {
	const away = usePlansAsOf();
	const asOf = waits || tone === "run" || tone === "need" ? away : undefined;
	const said = asOf === undefined ? word : asOfWords(word, asOf);
	return (
		<span className={`${isChip ? "chip " : ""}st st-${asOf === undefined ? tone : "unk"}`}>
			<Icon of={asOf === undefined ? icon : WifiOff} spin={moves && asOf === undefined} />
			{isChip && <span className="vh">{stateLabel} </span>}
			{isIcon ? <span className="vh">{said}</span> : said}
		</span>
	);
}
