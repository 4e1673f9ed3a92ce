import { type ReactNode, useState } from "react";
import { count, fill, words } from "../../strings/interface.ts";
import { oneLine, visibleProse } from "../text/visible-text.ts";

const SHOWN_CHARACTERS = 600;

interface PlanWorkProps {
	readonly instructions: string;
	readonly work: readonly { readonly description: string }[];
	/** Says which agent does the work. */
	readonly by: ReactNode;
}

/** Everything that the agent of a plan is told to do: the work items, and the instructions if they say more. */
export function PlanWork({ instructions, work, by }: PlanWorkProps) {
	const told = instructions.trim();
	const items = itemsBeyond(
		told,
		work.map(({ description }) => description),
	);
	return (
		<>
			<span>
				{items.length === 0 ? <Told text={told} /> : items.map(oneLine).join(", ")}
				{by}
			</span>
			{items.length > 0 && told !== "" && <Told text={told} />}
		</>
	);
}

/** The work items, except for those that only repeat the beginning of the instructions, as the one that the form makes does. */
export function itemsBeyond(instructions: string, work: readonly string[]): readonly string[] {
	const told = oneLine(instructions);
	return work.filter((item) => !told.startsWith(oneLine(item).replace(/…$/, "")));
}

function Told({ text }: { readonly text: string }) {
	const [isWhole, setWhole] = useState(false);
	const isCut = text.length > SHOWN_CHARACTERS && !isWhole;
	return (
		<>
			<span className="pre wrap" dir="auto">
				{visibleProse(isCut ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text)}
			</span>
			{isCut && (
				<button type="button" className="btn" onClick={() => setWhole(true)}>
					{fill(words.thread.moreText, { characters: count(text.length - SHOWN_CHARACTERS, "more character") })}
				</button>
			)}
		</>
	);
}
