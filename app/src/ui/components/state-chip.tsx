import {
	Ban,
	CircleCheck,
	CircleDashed,
	CircleDot,
	CircleQuestionMark,
	FileQuestionMark,
	FolderX,
	Hand,
	ListChecks,
	ListEnd,
	LoaderCircle,
	type LucideIcon,
	OctagonX,
	Unplug,
	WifiOff,
} from "lucide-react";
import { fill, words } from "../../strings/interface.ts";
import { type ShownState, stateWords } from "../../strings/runs/states.ts";
import { asOfWords } from "../turn/tool-line.ts";
import { Icon } from "./icon.tsx";

const looks: Readonly<Record<ShownState, { readonly icon: LucideIcon; readonly tone: string; readonly moves?: boolean }>> = {
	needs_you: { icon: Hand, tone: "need" },
	sending: { icon: CircleDot, tone: "run", moves: true },
	running: { icon: CircleDot, tone: "run", moves: true },
	queued: { icon: ListEnd, tone: "que" },
	syncing: { icon: CircleDot, tone: "run", moves: true },
	succeeded: { icon: CircleCheck, tone: "ok" },
	not_saved: { icon: FolderX, tone: "miss" },
	not_all_done: { icon: ListChecks, tone: "off" },
	outcome_unknown: { icon: CircleQuestionMark, tone: "unk" },
	not_verified: { icon: CircleDashed, tone: "unk" },
	permission_in_doubt: { icon: ListChecks, tone: "miss" },
	files_rejected: { icon: FolderX, tone: "miss" },
	failed: { icon: OctagonX, tone: "bad" },
	file_missing: { icon: FileQuestionMark, tone: "miss" },
	cancelled: { icon: Ban, tone: "off" },
	interrupted: { icon: Unplug, tone: "unk" },
	no_connection: { icon: WifiOff, tone: "unk" },
	not_sent: { icon: OctagonX, tone: "bad" },
	new: { icon: CircleDashed, tone: "off" },
};

interface StateChipProps {
	readonly state: ShownState;
	/** Shown instead of the state's own word. */
	readonly word?: string;
	readonly place?: { readonly position: number; readonly length: number };
	/** `chip`: with a border. `word`: within a row. `icon`: in a row of a list, where only screen readers get the word. */
	readonly look?: "chip" | "word" | "icon";
	/** True in the one place that is animated while a run is active. */
	readonly spin?: boolean;
	/** When the state was last known, if it may have changed since. */
	readonly asOf?: string | undefined;
}

/** A state as an icon and a word, so that color is never its only sign. */
export function StateChip({ state, word, place, look = "chip", spin = false, asOf }: StateChipProps) {
	const { icon, tone, moves = false } = looks[state];
	const text = word ?? (place === undefined ? stateWords[state] : fill(words.run.queued, { ...place }));
	const said = asOf === undefined ? text : asOfWords(text, asOf);
	const isSpinning = spin && moves && asOf === undefined;
	return (
		<span className={`${look === "chip" ? "chip " : ""}st st-${look === "icon" ? "off" : asOf === undefined ? tone : "unk"}`}>
			<Icon of={asOf !== undefined ? WifiOff : isSpinning ? LoaderCircle : icon} spin={isSpinning} />
			{look === "icon" ? <span className="vh">{said}</span> : said}
		</span>
	);
}
