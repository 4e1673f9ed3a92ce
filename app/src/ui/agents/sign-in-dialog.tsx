import { Dialog } from "@base-ui/react/dialog";
import type { Agent, SignInMethod } from "@xworkmate/contracts";
import { CircleAlert, LoaderCircle, Lock } from "lucide-react";
import { useId, useRef, useState } from "react";
import { agentsPageWords } from "../../strings/agents/agents-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { CopyLine } from "../components/copy-line.tsx";
import { Icon } from "../components/icon.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { visibleName } from "../text/visible-text.ts";
import { isBusy } from "./agent-acts.ts";

const words = agentsPageWords.signing;

interface SignInDialogProps {
	readonly agent: Agent;
	/** Updates the page with the agent as the bridge has just returned it. */
	put(agent: Agent): void;
	test(agent: Agent): Promise<Agent | undefined>;
	cancel(agent: Agent): void;
	close(): void;
	/** Called once the agent works with the variables that were saved. If absent, the dialog closes instead. */
	ready?(): void;
}

/** An agent's sign-in methods. A secret is sent from its field directly, and is never in the page's state. */
export function SignInDialog({ agent, put, test, cancel, close, ready = close }: SignInDialogProps) {
	const [chosen, setChosen] = useState(agent.signIn[0]?.methodId);
	const name = visibleName(agent.name);
	const way = agent.signIn.find(({ methodId }) => methodId === chosen) ?? agent.signIn[0];
	return (
		<Dialog.Root open onOpenChange={(isOpen) => !isOpen && close()}>
			<Dialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<Dialog.Backdrop className="scrim" />
				<Dialog.Popup className="dialog agent-sign-in">
					<Dialog.Title className="dialog-title">{fill(words.title, { agent: name })}</Dialog.Title>
					{agent.signIn.length > 1 && (
						<fieldset className="choice" aria-label={words.way} disabled={isBusy(agent)}>
							{agent.signIn.map((one) => (
								<label key={one.methodId} className={one.methodId === way?.methodId ? "on" : ""}>
									<input type="radio" name="way" checked={one.methodId === way?.methodId} onChange={() => setChosen(one.methodId)} />
									<b className="wrap">{visibleName(one.name)}</b>
									{one.description !== undefined && <span className="d wrap">{visibleName(one.description)}</span>}
								</label>
							))}
						</fieldset>
					)}
					{way?.kind === "variables" && (
						<Variables key={way.methodId} agent={agent} way={way} name={name} put={put} test={test} ready={ready} />
					)}
					{way?.kind === "agent" && <ByItself key={way.methodId} agent={agent} way={way} name={name} put={put} cancel={cancel} />}
					{way?.kind === "terminal" && (
						<div className="dialog-form">
							<p>{words.terminal}</p>
							<CopyLine text={way.command ?? ""} />
							<p className="soft">{words.testAfter}</p>
						</div>
					)}
					<div className="flex end">
						<Dialog.Close className="btn lg">{words.close}</Dialog.Close>
					</div>
				</Dialog.Popup>
			</Dialog.Portal>
		</Dialog.Root>
	);
}

interface WayProps {
	readonly agent: Agent;
	readonly way: SignInMethod;
	readonly name: string;
	put(agent: Agent): void;
}

function Variables({ agent, way, name, put, test, ready }: WayProps & Pick<SignInDialogProps, "test"> & { ready(): void }) {
	const { agentId } = agent;
	const { methodId, variables = [], link } = way;
	const form = useRef<HTMLFormElement>(null);
	const said = useId();
	const [problem, setProblem] = useState<string>();
	const [isSaving, setSaving] = useState(false);
	const save = async () => {
		if (form.current === null || isSaving) return;
		const given = new FormData(form.current);
		const typed = variables.map((one) => [one.name, String(given.get(one.name) ?? "").trim()] as const).filter(([, value]) => value !== "");
		// Cleared regardless of the outcome, so that the secret does not stay on the page.
		form.current.reset();
		setSaving(true);
		setProblem(undefined);
		try {
			put(await callApp("signInAgent", { agentId, methodId, variables: Object.fromEntries(typed) }));
			const tested = await test(agent);
			if (tested?.state === "ready") ready();
			else setProblem(tested?.test?.problem === undefined ? undefined : visibleName(tested.test.problem.message));
		} catch (error) {
			setProblem(`${sayError(error)} ${words.cleared}`);
		} finally {
			setSaving(false);
		}
	};
	return (
		<form
			ref={form}
			className="dialog-form"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			{variables.map(({ name: variable, label, secret, optional, isSet, default: preset }) => (
				<div key={variable} className="field">
					<label htmlFor={`${said}${variable}`}>
						{optional ? fill(words.optional, { label: visibleName(label ?? variable) }) : visibleName(label ?? variable)}
					</label>
					<input
						id={`${said}${variable}`}
						name={variable}
						type={secret ? "password" : "text"}
						autoComplete="off"
						spellCheck={false}
						required={!optional && !isSet && preset === undefined}
						defaultValue={isSet ? "" : preset}
						aria-describedby={`${said}e ${said}${variable}h`}
					/>
					<p className="small muted" id={`${said}${variable}h`}>
						{isSet ? words.isSet : ""}
					</p>
				</div>
			))}
			{link !== undefined && (
				<a className="link" href={link} target="_blank" rel="noreferrer">
					{words.link}
				</a>
			)}
			<div id={`${said}e`} role="alert">
				{problem !== undefined && (
					<p className="err">
						<Icon of={CircleAlert} small />
						<span className="wrap">{problem}</span>
					</p>
				)}
			</div>
			<p className="small muted">
				<Icon of={Lock} small /> {fill(words.kept, { agent: name })}
			</p>
			<button type="submit" className="btn pri lg" disabled={isSaving}>
				{isSaving ? words.saving : words.save}
			</button>
		</form>
	);
}

function ByItself({ agent, way, name, put, cancel }: WayProps & Pick<SignInDialogProps, "cancel">) {
	const [problem, setProblem] = useState<string>();
	const begin = async () => {
		setProblem(undefined);
		try {
			put(await callApp("signInAgent", { agentId: agent.agentId, methodId: way.methodId }));
		} catch (error) {
			setProblem(sayError(error));
		}
	};
	const failed = problem ?? (agent.signingIn?.problem === undefined ? undefined : visibleName(agent.signingIn.problem.message));
	return (
		<div className="dialog-form">
			<p>{fill(words.browser, { agent: name })}</p>
			<div role="alert">{failed !== undefined && <p className="err wrap">{failed}</p>}</div>
			{isBusy(agent) ? (
				<div className="flex">
					<span className="st st-run grow">
						<Icon of={LoaderCircle} spin />
						{fill(words.waiting, { agent: name })}
					</span>
					<button type="button" className="btn lg" onClick={() => cancel(agent)}>
						{agentsPageWords.cancel}
					</button>
				</div>
			) : (
				<button type="button" className="btn pri lg" onClick={() => void begin()}>
					{words.begin}
				</button>
			)}
		</div>
	);
}
