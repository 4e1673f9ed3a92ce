import type { Channel, Contact, RequestId } from "@xworkmate/contracts";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { useApp } from "../state/app-context.tsx";
import { hrefOf } from "../state/route.ts";
import { withKeys } from "../text/key-names.ts";
import { makePlan } from "./make-plan.ts";
import { missingOf, newPlanOf, type PlanDraft } from "./plan-draft.ts";
import { PlanFields } from "./plan-fields.tsx";
import { PlanRefusal } from "./plan-refusal.tsx";
import { PlanSummary } from "./plan-summary.tsx";

const words = plansPageWords.form;

interface FormPlanProps {
	readonly draft: PlanDraft;
	readonly channels: readonly Channel[];
	/** Undefined until they are read. */
	readonly contacts: readonly Contact[] | undefined;
	setDraft(change: (before: PlanDraft) => PlanDraft): void;
}

/** The form that creates a plan. */
export function FormPlan({ draft, channels, contacts, setDraft }: FormPlanProps) {
	return (
		<PlanForm
			{...{ draft, channels, contacts, setDraft }}
			word={words.create}
			busyWord={words.creating}
			leave={hrefOf({ page: "plans" })}
			done={() => {
				const { requestId: _, ...plan } = newPlanOf(draft, "" as RequestId);
				return makePlan(plan);
			}}
		/>
	);
}

interface PlanFormProps extends FormPlanProps {
	/** The label of the button. */
	readonly word: string;
	readonly busyWord: string;
	/** The address to which Cancel leads. */
	readonly leave: string;
	readonly isMade?: boolean;
	readonly isPaused?: boolean;
	/** Submits the form. If it rejects, the form shows the error. */
	done(): Promise<void>;
}

/** The fields of a plan, what the plan will do, and the button. */
export function PlanForm({
	draft,
	channels,
	contacts,
	word,
	busyWord,
	leave,
	isMade = false,
	isPaused = false,
	setDraft,
	done,
}: PlanFormProps) {
	const { announce } = useApp();
	/** How many times the button was pressed although something was missing. */
	const [tries, setTries] = useState(0);
	const form = useRef<HTMLFormElement>(null);
	const [isBusy, setBusy] = useState(false);
	const [error, setError] = useState<unknown>();
	const missing = missingOf(draft);
	// Focuses the first incomplete field, after the render that marks it.
	// biome-ignore lint/correctness/useExhaustiveDependencies: at each press
	useEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(), [tries]);
	const press = async () => {
		const [first] = Object.values(missing);
		if (first !== undefined) {
			setTries(tries + 1);
			return announce(first);
		}
		if (isBusy) return;
		setBusy(true);
		setError(undefined);
		try {
			await done();
		} catch (caught) {
			setError(caught);
		} finally {
			setBusy(false);
		}
	};
	const onKey = (event: KeyboardEvent) => {
		if (event.key !== "Enter" || event.repeat || !(event.ctrlKey || event.metaKey)) return;
		event.preventDefault();
		void press();
	};
	const change = (part: Partial<PlanDraft>) => setDraft((before) => ({ ...before, ...part }));
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the whole page, whose action is also a button
		<div className="scroll two" onKeyDown={onKey}>
			<form
				ref={form}
				className="form page"
				onSubmit={(event) => {
					event.preventDefault();
					void press();
				}}
			>
				<PlanFields {...{ draft, change, channels, contacts, isMade }} shown={tries > 0 ? missing : {}} />
			</form>
			<aside className="plan-summary" aria-label={words.summary}>
				<PlanSummary {...{ draft, channels, isPaused }} />
				<div className="decide">
					{error !== undefined && <PlanRefusal error={error} />}
					<button type="button" className="btn lg pri" aria-busy={isBusy} title={withKeys(word, "Mod+Enter")} onClick={() => void press()}>
						{isBusy ? busyWord : word}
					</button>
					<a className="btn quiet" href={leave}>
						{words.cancel}
					</a>
				</div>
			</aside>
		</div>
	);
}
