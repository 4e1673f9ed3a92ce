import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { Choice } from "../components/form-field.tsx";
import { formatLimit } from "../text/format.ts";
import type { PlanDraft } from "./plan-draft.ts";

const words = plansPageWords.form;
/** The choice for a plan whose catch-up time is the bridge's setting. */
const AS_SET = "set";

interface MoreOptionsProps {
	readonly draft: PlanDraft;
	change(change: Partial<PlanDraft>): void;
}

/** Options that most plans leave at their defaults. */
export function MoreOptions({ draft, change }: MoreOptionsProps) {
	const { when, writer, catchUpHours, overlap, conversation, whenDeclined } = draft;
	const hours: readonly { readonly value: number | typeof AS_SET; readonly name: string }[] = [
		...([24, 168, 0] as const).map((value) => ({ value, name: words.missedChoices[value] })),
		{ value: AS_SET, name: words.missedAsSet },
	];
	const missed = catchUpHours ?? AS_SET;
	return (
		<>
			<span />
			<details className="more">
				<summary>{words.more}</summary>
				<div className="stack2">
					{when !== "now" && (
						<Line
							label={words.missed}
							value={missed}
							choices={hours}
							otherwise={fill(words.missedWithin, { time: formatLimit((catchUpHours ?? 0) * 3_600_000) })}
							choose={(value) => change({ catchUpHours: value === AS_SET ? undefined : value })}
						/>
					)}
					{when === "repeats" && (
						<Line
							label={words.overlap}
							value={overlap}
							choices={named(words.overlapChoices)}
							choose={(value) => change({ overlap: value })}
						/>
					)}
					{writer === "agent" && when === "repeats" && (
						<Line
							label={words.conversation}
							value={conversation}
							choices={named(words.conversationChoices)}
							choose={(value) => change({ conversation: value })}
						/>
					)}
					{writer === "agent" && (
						<Line
							label={words.declined}
							value={whenDeclined}
							choices={named(words.declinedChoices)}
							choose={(value) => change({ whenDeclined: value })}
						/>
					)}
				</div>
			</details>
		</>
	);
}

function named<Value extends string>(
	choices: Readonly<Record<Value, string>>,
): readonly { readonly value: Value; readonly name: string }[] {
	return (Object.keys(choices) as Value[]).map((value) => ({ value, name: choices[value] }));
}

interface LineProps<Value extends string | number> {
	readonly label: string;
	readonly value: Value;
	readonly choices: readonly { readonly value: Value; readonly name: string }[];
	readonly otherwise?: string | undefined;
	choose(value: Value): void;
}

function Line<Value extends string | number>({ label, ...choice }: LineProps<Value>) {
	return (
		<div className="pair">
			<span className="lab">{label}</span>
			<Choice label={label} {...choice} />
		</div>
	);
}
