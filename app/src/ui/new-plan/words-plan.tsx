import type { Channel, Contact, Routing } from "@xworkmate/contracts";
import { RotateCw } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { newPlanWords as words } from "../../strings/plans/new-plan-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { sayCount } from "../../text/runs/actions-title.ts";
import { Icon } from "../components/icon.tsx";
import { AppRefusal } from "../connection/app-refusal.ts";
import { useApp } from "../state/app-context.tsx";
import { withKeys } from "../text/key-names.ts";
import { type Answers, answered, openProblems, planOfDraft } from "./draft-answers.ts";
import { DraftCard } from "./draft-card.tsx";
import { formOfPlan } from "./form-of-plan.ts";
import { makePlan } from "./make-plan.ts";
import type { PlanDraft } from "./plan-draft.ts";
import { PlanRefusal } from "./plan-refusal.tsx";
import { useExtraction } from "./use-extraction.ts";

interface WordsPlanProps {
	readonly sentence: string;
	readonly channels: readonly Channel[];
	readonly contacts: readonly Contact[];
	readonly routing: Routing | undefined;
	setSentence(text: string): void;
	/** Opens the form, filled in with a draft if there is one. */
	openForm(draft?: PlanDraft): void;
}

/** Creates a plan from a sentence: a model reads it, the draft is shown, and nothing is created before the user confirms. */
export function WordsPlan({ sentence, channels, contacts, routing, setSentence, openForm }: WordsPlanProps) {
	const { announce } = useApp();
	const { read, isReading, error, readSentence } = useExtraction();
	const [answers, setAnswers] = useState<{ readonly of: unknown; readonly answers: Answers }>({ of: undefined, answers: {} });
	const [isMaking, setMaking] = useState(false);
	const [refusal, setRefusal] = useState<unknown>();
	const text = sentence.trim();
	// A draft is shown only for the sentence from which it was read.
	const current = read?.text === text ? read : undefined;
	const given = answers.of === current?.extraction ? answers.answers : {};
	const { task, problems = [], shouldCreateTask } = current?.extraction ?? {};
	const hasDraft = shouldCreateTask === true && task !== undefined;
	const draft = hasDraft ? answered(task, problems, given) : undefined;
	const open = openProblems(problems, given);
	const start = () => {
		if (text === "" || isReading) return;
		setRefusal(undefined);
		void readSentence(text);
	};
	const create = async () => {
		if (draft === undefined || isMaking) return;
		if (open.length > 0) return announce(sayCount(open.length, words.questionsLeft));
		setMaking(true);
		setRefusal(undefined);
		try {
			await makePlan(planOfDraft(draft, text, routing));
		} catch (caught) {
			setRefusal(caught);
		} finally {
			setMaking(false);
		}
	};
	const onKey = (event: KeyboardEvent) => {
		// A key that is held down must not both read a sentence and create its plan.
		if (event.key !== "Enter" || event.repeat || !(event.ctrlKey || event.metaKey)) return;
		event.preventDefault();
		if (draft === undefined) start();
		else void create();
	};
	const isUnreadable = error instanceof AppRefusal && error.code === "EXTRACTION_UNAVAILABLE";
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the whole page, whose action is also a button
		<div className="scroll" onKeyDown={onKey}>
			<div className="page">
				<form
					className="plan-say"
					onSubmit={(event) => {
						event.preventDefault();
						start();
					}}
				>
					<textarea
						rows={2}
						maxLength={4_000}
						aria-label={words.sentence}
						placeholder={words.sentence}
						value={sentence}
						onChange={(event) => setSentence(event.target.value)}
					/>
					<footer>
						<span aria-live="polite">{sayHow(isReading, current?.tookMs, read !== undefined && current === undefined)}</span>
						<span className="grow" />
						<button type="submit" className={`btn ${draft === undefined ? "pri" : ""}`} aria-busy={isReading} disabled={text === ""}>
							{current !== undefined && <Icon of={RotateCw} />}
							{isReading ? words.reading : current === undefined ? words.read : words.readAgain}
						</button>
					</footer>
				</form>
				{error !== undefined && (
					<PlanRefusal error={error}>
						<button type="button" className="btn" onClick={() => openForm()}>
							{words.useForm}
						</button>
					</PlanRefusal>
				)}
				{isUnreadable && <p className="hint">{words.formSame}</p>}
				{current !== undefined && !hasDraft && (
					<output className="note">
						<p className="grow">
							<b>{words.declined}.</b> {current.extraction.reason ?? words.declinedSay}
						</p>
						<button type="button" className="btn" onClick={() => openForm()}>
							{words.useForm}
						</button>
					</output>
				)}
				{draft !== undefined && (
					<DraftCard
						{...{ draft, problems, channels, contacts, routing, isMaking, refusal }}
						answers={given}
						left={open.length}
						answer={(problem, choice) => setAnswers({ of: current?.extraction, answers: { ...given, [problem]: choice } })}
						create={() => void create()}
						createTitle={withKeys(plansPageWords.form.create, "Mod+Enter")}
						openForm={() => openForm(formOfPlan({ ...draft, ...(routing && { routing }) }, new Date()))}
					/>
				)}
			</div>
		</div>
	);
}

function sayHow(isReading: boolean, tookMs: number | undefined, hasChanged: boolean): string {
	if (isReading) return words.reading;
	if (tookMs !== undefined) return fill(words.readIn, { seconds: (tookMs / 1000).toFixed(1) });
	return hasChanged ? words.changed : words.hint;
}
