import type { Plan, PlanId } from "@xworkmate/contracts";
import { useCallback, useEffect, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { newPlanWords as words } from "../../strings/plans/new-plan-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { PageBar } from "../components/page-bar.tsx";
import { ReadState } from "../components/read-state.tsx";
import { AppRefusal, sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useChannels, useContacts } from "../plans/use-recipients.ts";
import { go, hrefOf } from "../state/route.ts";
import { say } from "../state/toasts.ts";
import { visibleName } from "../text/visible-text.ts";
import { differingParts } from "./differing-parts.ts";
import { formOfPlan } from "./form-of-plan.ts";
import { PlanForm } from "./form-plan.tsx";
import { changeOf, differences, overwritten } from "./plan-change.ts";
import type { PlanDraft } from "./plan-draft.ts";

/** How many characters of a changed value are shown. */
const SHOWN = 120;

/**
 * Changes a plan in the form. If the plan was changed elsewhere after the page read it, saving fails and the page shows what differs, so
 * that nothing is overwritten without the user seeing it.
 */
export default function EditPlanPage({ planId }: { readonly planId: string }) {
	const [plan, setPlan] = useState<Plan>();
	const [problem, setProblem] = useState<string>();
	const read = useCallback(() => {
		setProblem(undefined);
		callApp("plan", { planId: planId as PlanId }).then(setPlan, (error: unknown) => setProblem(sayError(error)));
	}, [planId]);
	useEffect(read, [read]);
	const title = plan === undefined ? words.edit : fill(words.editing, { title: visibleName(plan.title) });
	return (
		<main className="main with-panel" tabIndex={-1}>
			<PageBar title={title} back={{ href: hrefOf({ page: "plan", planId }), label: plansPageWords.backToPlan }} />
			{plan === undefined ? (
				<div className="scroll">
					<div className="page">
						<ReadState isRead={false} words={plansPageWords} {...{ problem, read }} />
					</div>
				</div>
			) : (
				<EditPlan plan={plan} />
			)}
		</main>
	);
}

function EditPlan({ plan }: { readonly plan: Plan }) {
	/** The plan that the form was filled in from. */
	const [base, setBase] = useState(plan);
	const [draft, setDraft] = useState<PlanDraft>(() => formOfPlan(plan, new Date()));
	const [theirs, setTheirs] = useState<Plan>();
	const { value: channels = [] } = useChannels();
	const { value: contacts } = useContacts();
	const { planId } = plan;
	const done = async () => {
		const change = changeOf(formOfPlan(base, new Date()), draft);
		if (Object.keys(change).length === 0) return leave(plan, words.unchanged);
		try {
			leave(await callApp("updatePlan", { planId, revision: (theirs ?? base).revision, change }), words.saved);
		} catch (error) {
			if (error instanceof AppRefusal && error.code === "REVISION_CONFLICT") setTheirs(await callApp("plan", { planId }));
			throw error;
		}
	};
	const takeTheirs = (now: Plan) => {
		setBase(now);
		setDraft(formOfPlan(now, new Date()));
		setTheirs(undefined);
	};
	return (
		<>
			{theirs !== undefined && <Conflict before={base} after={theirs} draft={draft} take={() => takeTheirs(theirs)} />}
			<PlanForm
				{...{ draft, channels, contacts, setDraft, done }}
				word={plansPageWords.form.save}
				busyWord={words.saving}
				leave={hrefOf({ page: "plan", planId })}
				isMade
				isPaused={(theirs ?? base).status === "paused"}
			/>
		</>
	);
}

function leave({ planId, title }: Plan, said: string): void {
	say(fill(said, { title: visibleName(title) }));
	go({ page: "plan", planId });
}

interface ConflictProps {
	readonly before: Plan;
	readonly after: Plan;
	readonly draft: PlanDraft;
	take(): void;
}

/** Says that the plan was changed elsewhere while the form was open, what differs, and which of it saving would overwrite. */
function Conflict({ before, after, draft, take }: ConflictProps) {
	const both = new Set(overwritten(before, after, draft).map((name) => fill(words.quoted, { name: words.members[name] })));
	const names = new Intl.ListFormat("en", { type: "conjunction" }).format(both);
	return (
		<section className="note need" aria-label={words.changes}>
			<div className="grow">
				<p>
					<b>{words.conflict}.</b> {words.conflictSay}
				</p>
				<ul className="bullets">
					{differences(before, after).map((difference, index) => {
						const [was, is] = differingParts(difference.before, difference.after, SHOWN);
						const name = words.members[difference.name];
						// biome-ignore lint/suspicious/noArrayIndexKey: differences have no ids, and none is added to those that are shown
						return <li key={index}>{fill(words.changeOf, { name, before: shown(was), after: shown(is) })}</li>;
					})}
				</ul>
				<p className="hint">{both.size === 0 ? words.saveAnyway : fill(words.saveOver, { names })}</p>
			</div>
			<button type="button" className="btn" onClick={take}>
				{words.takeTheirs}
			</button>
		</section>
	);
}

function shown(text: string): string {
	return text === "" ? words.nothing : text;
}
