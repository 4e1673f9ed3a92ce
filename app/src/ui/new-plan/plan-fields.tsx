import { useId, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { AgentPicker } from "../agents/agent-picker.tsx";
import { FormField } from "../components/form-field.tsx";
import { FolderPicker } from "../composer/folder-picker.tsx";
import { itemsBeyond } from "../plans/plan-work.tsx";
import { oneLine } from "../text/visible-text.ts";
import { MoreOptions } from "./more-options.tsx";
import { type missingOf, type PlanDraft, titleOf } from "./plan-draft.ts";
import { SendToFields } from "./send-to-fields.tsx";
import { WhenFields } from "./when-fields.tsx";

const words = plansPageWords.form;

interface PlanFieldsProps {
	readonly draft: PlanDraft;
	readonly shown: ReturnType<typeof missingOf>;
	readonly channels: Parameters<typeof SendToFields>[0]["channels"];
	readonly contacts: Parameters<typeof SendToFields>[0]["contacts"];
	change(change: Partial<PlanDraft>): void;
	/** True for an existing plan. Its type (now, once or recurring) cannot be changed. */
	readonly isMade?: boolean;
}

/** The fields that say what a plan does, for whom and when. */
export function PlanFields({ draft, shown, channels, contacts, change, isMade = false }: PlanFieldsProps) {
	const [isPicking, setPicking] = useState(false);
	const { writer, instructions, text, title, routing, workingDirectory } = draft;
	const given = titleOf({ ...draft, title: "" });
	const problemOfTime = shown.days ?? shown.date;
	const saidOfTime = useId();
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
					<FormField label={words.work} problem={shown.instructions} {...keptWork(draft)}>
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
				<WhenFields {...{ draft, change, isMade, describedBy: shown.date === undefined ? undefined : saidOfTime }} />
				{problemOfTime !== undefined && (
					<p className="err" id={saidOfTime}>
						{problemOfTime}
					</p>
				)}
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

/** What happens to work items that the form has no field for. Undefined if there are none. */
function keptWork({ kept, instructions }: PlanDraft): { readonly hint?: string } {
	const items = kept === undefined ? [] : itemsBeyond(kept.instructions, kept.work);
	if (kept === undefined || items.length === 0) return {};
	const said = kept.instructions === instructions ? words.keptWork : words.leftOutWork;
	return { hint: fill(said, { items: items.map(oneLine).join(", ") }) };
}
