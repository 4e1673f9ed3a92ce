import {
	Ban,
	CircleCheck,
	CircleDashed,
	FileQuestionMark,
	Hand,
	ListEnd,
	LoaderCircle,
	type LucideIcon,
	OctagonX,
	Unplug,
	WifiOff,
} from "lucide-react";
import { fill, words } from "../words/interface.ts";
import { type ShownState, stateWords } from "../words/states.ts";
import { Icon } from "./icon.tsx";

const looks: Readonly<Record<ShownState, { readonly icon: LucideIcon; readonly tone: string; readonly spin?: boolean }>> = {
	needs_you: { icon: Hand, tone: "need" },
	sending: { icon: LoaderCircle, tone: "run", spin: true },
	running: { icon: LoaderCircle, tone: "run", spin: true },
	queued: { icon: ListEnd, tone: "que" },
	syncing: { icon: LoaderCircle, tone: "run", spin: true },
	succeeded: { icon: CircleCheck, tone: "ok" },
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
	/** Replaces the state's own word. */
	readonly word?: string;
	readonly place?: { readonly position: number; readonly length: number };
	/** `chip` = with an edge; `word` = in a row; `icon` = in a row of a list, its word for those who listen. */
	readonly look?: "chip" | "word" | "icon";
}

/** What something is: an icon and a word, and only then a colour. */
export function StateChip({ state, word, place, look = "chip" }: StateChipProps) {
	const { icon, tone, spin = false } = looks[state];
	const text = word ?? (place === undefined ? stateWords[state] : fill(words.run.queued, { ...place }));
	return (
		<span className={`${look === "chip" ? "chip " : ""}st st-${look === "icon" ? "off" : tone}`}>
			<Icon of={icon} spin={spin} />
			{look === "icon" ? <span className="vh">{text}</span> : text}
		</span>
	);
}
