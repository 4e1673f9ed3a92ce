import type { Plan, RequestId } from "@xworkmate/contracts";
import { type KeyboardEvent, useCallback, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
import { AgentPicker } from "../agents/agent-picker.tsx";
import { usableRouting } from "../agents/routing.ts";
import { PageBar } from "../components/page-bar.tsx";
import { FolderPicker } from "../composer/folder-picker.tsx";
import { pressedIds } from "../composer/pressed-ids.ts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { preferences } from "../state/preferences.ts";
import { go, hrefOf } from "../state/route.ts";
import { withKeys } from "../text/key-names.ts";
import { FormField } from "./form-field.tsx";
import { MoreOptions } from "./more-options.tsx";
import { emptyDraft, missingOf, newPlanOf, type PlanDraft, titleOf } from "./plan-draft.ts";
import { PlanSummary } from "./plan-summary.tsx";
import { SendToFields } from "./send-to-fields.tsx";
import { usePlanRead } from "./use-plans.ts";
import { WhenFields } from "./when-fields.tsx";

const words = plansPageWords.form;
const askPlaces = async () => {
	const [{ channels }, { contacts }] = await Promise.all([callApp("channels", {}), callApp("contacts", {})]);
	return { channels, contacts };
};

/** Makes a plan by a form. What was typed is kept until the plan is there. */
export default function NewPlanPage() {
	const providers = useProviders();
	const { announce } = useApp();
	const { value: places } = usePlanRead(askPlaces);
	const [draft, setDraft] = useState<PlanDraft>(() => emptyDraft(new Date(), usableRouting(providers, preferences.value)));
	const [isTried, setTried] = useState(false);
	const [isSending, setSending] = useState(false);
	const [problem, setProblem] = useState<string>();
	const change = useCallback((part: Partial<PlanDraft>) => setDraft((before) => ({ ...before, ...part })), []);
	const missing = missingOf(draft);
	const create = async () => {
		setTried(true);
		const [first] = Object.values(missing);
		if (first !== undefined) return announce(first, "assertive");
		if (isSending) return;
		setSending(true);
		setProblem(undefined);
		try {
			const { turnId } = pressedIds("new plan", { prompt: JSON.stringify(draft) });
			created(await callApp("createPlan", newPlanOf(draft, turnId as RequestId)));
		} catch (error) {
			setProblem(sayError(error));
		} finally {
			setSending(false);
		}
	};
	const onKey = (event: KeyboardEvent) => {
		if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
		event.preventDefault();
		void create();
	};
	const shown = isTried ? missing : {};
	return (
		<main className="main with-panel" tabIndex={-1} onKeyDown={onKey}>
			<PageBar title={plansPageWords.fresh} back={{ href: hrefOf({ page: "plans" }), label: plansPageWords.back }} />
			<div className="scroll two">
				<form
					className="form page"
					onSubmit={(event) => {
						event.preventDefault();
						void create();
					}}
				>
					<FormFields {...{ draft, change, shown }} channels={places?.channels ?? []} contacts={places?.contacts ?? []} />
				</form>
				<aside className="plan-summary" aria-label={words.summary}>
					<PlanSummary draft={draft} channels={places?.channels ?? []} />
					<div className="decide">
						{problem !== undefined && (
							<p className="note bad" role="alert">
								{problem}
							</p>
						)}
						<button
							type="button"
							className="btn lg pri"
							aria-busy={isSending}
							title={withKeys(words.create, "Mod+Enter")}
							onClick={() => void create()}
						>
							{isSending ? words.creating : words.create}
						</button>
						<a className="btn quiet" href={hrefOf({ page: "plans" })}>
							{words.cancel}
						</a>
					</div>
				</aside>
			</div>
		</main>
	);
}

function created({ planId }: Plan): void {
	go({ page: "plan", planId });
}

interface FormFieldsProps {
	readonly draft: PlanDraft;
	readonly shown: ReturnType<typeof missingOf>;
	readonly channels: Parameters<typeof SendToFields>[0]["channels"];
	readonly contacts: Parameters<typeof SendToFields>[0]["contacts"];
	change(change: Partial<PlanDraft>): void;
}

function FormFields({ draft, shown, channels, contacts, change }: FormFieldsProps) {
	const [isPicking, setPicking] = useState(false);
	const { writer, instructions, text, title, routing, workingDirectory } = draft;
	const given = titleOf({ ...draft, title: "" });
	return (
		<>
			<span className="lab">{words.message}</span>
			<fieldset className="stack2" aria-label={words.message}>
				<label className="pickr">
					<input type="radio" name="writer" checked={writer === "agent"} onChange={() => change({ writer: "agent" })} />
					<span>
						{words.byAgent} <small>{words.byAgentSay}</small>
					</span>
				</label>
				<label className="pickr">
					<input type="radio" name="writer" checked={writer === "person"} onChange={() => change({ writer: "person" })} />
					<span>
						{words.byPerson} <small>{words.byPersonSay}</small>
					</span>
				</label>
			</fieldset>
			{writer === "agent" ? (
				<>
					<FormField label={words.work} problem={shown.instructions}>
						{({ id, describedBy }) => (
							<textarea
								id={id}
								className="in"
								rows={3}
								aria-describedby={describedBy}
								aria-invalid={shown.instructions !== undefined}
								placeholder={words.workSay}
								value={instructions}
								onChange={(event) => change({ instructions: event.target.value })}
							/>
						)}
					</FormField>
					<span className="lab">{words.agent}</span>
					<div className="pair">
						<AgentPicker
							{...(routing && { routing })}
							isOpen={isPicking}
							setOpen={setPicking}
							choose={(chosen) => change({ routing: chosen })}
						/>
						<FolderPicker
							{...(workingDirectory !== "" && { folder: workingDirectory })}
							choose={(folder) => change({ workingDirectory: folder ?? "" })}
						/>
					</div>
				</>
			) : (
				<FormField label={words.text} problem={shown.text}>
					{({ id, describedBy }) => (
						<textarea
							id={id}
							className="in"
							rows={4}
							aria-describedby={describedBy}
							aria-invalid={shown.text !== undefined}
							value={text}
							onChange={(event) => change({ text: event.target.value })}
						/>
					)}
				</FormField>
			)}
			<hr />
			<span className="lab">{words.sendTo}</span>
			<div>
				<SendToFields {...{ draft, channels, contacts, change }} />
				{shown.to !== undefined && <p className="err">{shown.to}</p>}
			</div>
			<hr />
			<span className="lab">{words.when}</span>
			<div>
				<WhenFields {...{ draft, change }} />
				{(shown.days ?? shown.date) !== undefined && <p className="err">{shown.days ?? shown.date}</p>}
			</div>
			<FormField label={words.title} {...(given !== "" && { hint: fill(words.titleHint, { title: given }) })}>
				{({ id, describedBy }) => (
					<input
						id={id}
						className="in"
						maxLength={200}
						aria-describedby={describedBy}
						value={title}
						onChange={(event) => change({ title: event.target.value })}
					/>
				)}
			</FormField>
			<MoreOptions {...{ draft, change }} />
		</>
	);
}
