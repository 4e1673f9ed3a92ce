import { CircleQuestionMark, Info } from "lucide-react";
import { useId } from "react";
import { newPlanWords as words } from "../../strings/plans/new-plan-words.ts";
import { Icon } from "../components/icon.tsx";
import { visibleName } from "../text/visible-text.ts";
import type { Problem } from "./draft-answers.ts";

interface DraftQuestionProps {
	readonly problem: Problem;
	/** The position of the chosen answer. */
	readonly chosen: number | undefined;
	choose(choice: number): void;
}

/** A question that a sentence leaves open, with its possible answers, or a note about the plan. */
export function DraftQuestion({ problem: { question, choices, blocks }, chosen, choose }: DraftQuestionProps) {
	const name = useId();
	if (choices.length === 0 && !blocks)
		return (
			<p className="note">
				<Icon of={Info} />
				<span>{visibleName(question)}</span>
			</p>
		);
	return (
		<fieldset className="quest">
			<legend className="vh">{visibleName(question)}</legend>
			<span className="q" aria-hidden="true">
				<Icon of={CircleQuestionMark} small />
				{visibleName(question)}
			</span>
			{choices.length === 0 && <p className="hint">{words.noChoice}</p>}
			{choices.map(({ label }, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: choices of one question have no ids and keep their positions
				<label key={index} className="pickr">
					<input type="radio" name={name} checked={chosen === index} onChange={() => choose(index)} />
					<span>{visibleName(label)}</span>
				</label>
			))}
		</fieldset>
	);
}
