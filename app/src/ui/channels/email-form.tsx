import type { Channel, MethodInput, MethodResult, RequestId } from "@xworkmate/contracts";
import { Check, X } from "lucide-react";
import { useRef, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { channelStepWords } from "../../strings/plan-words.ts";
import { channelsWords } from "../../strings/review-words.ts";
import { newTurnId } from "../../threads/domain/new-ids.ts";
import { Icon } from "../components/icon.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Choice, FormField } from "../plans/form-field.tsx";
import { RemoveChannel } from "./remove-channel.tsx";

const words = channelsWords.email;
/** Mail providers that are known by name; the bridge knows their servers. */
const PROVIDERS = ["", "Gmail", "Outlook365", "iCloud", "Yahoo", "FastMail", "Zoho"] as const;

type Settings = MethodInput<"xworkmate.channels.configure">["settings"];
type Tested = MethodResult<"xworkmate.channels.test">;

interface EmailFormProps {
	readonly channel: Channel;
	changed(): void;
}

/** How mail is sent. The password leaves this page once, and is in no state of it. */
export function EmailForm({ channel, changed }: EmailFormProps) {
	const [fields, setFields] = useState(() => fieldsOf(channel));
	const [problem, setProblem] = useState<string>();
	const [said, setSaid] = useState<string>();
	const [isBusy, setBusy] = useState<"saving" | "testing">();
	const [tested, setTested] = useState<Tested>();
	const password = useRef<HTMLInputElement>(null);
	const change = (part: Partial<Fields>) => setFields((before) => ({ ...before, ...part }));
	const work = async (what: "saving" | "testing", act: () => Promise<void>) => {
		if (isBusy !== undefined) return;
		setBusy(what);
		setProblem(undefined);
		setSaid(undefined);
		try {
			await act();
		} catch (error) {
			setProblem(sayError(error));
		} finally {
			setBusy(undefined);
		}
	};
	const save = async () => {
		const typed = password.current?.value ?? "";
		if (password.current !== null) password.current.value = "";
		await callApp("setUpChannel", {
			channel: "email",
			settings: settingsOf(fields),
			secrets: typed === "" ? {} : { password: typed },
		});
		setSaid(words.saved);
	};
	const test = async () => {
		setTested(await callApp("testChannel", { channel: "email", requestId: newTurnId() as string as RequestId }));
		changed();
	};
	const removed = () => {
		setFields(fieldsOf({ settings: {} }));
		setTested(undefined);
		setSaid(undefined);
		changed();
	};
	return (
		<form
			className="form"
			onSubmit={(event) => {
				event.preventDefault();
				void work("saving", () => save().then(() => changed()));
			}}
		>
			<span className="lab">{words.provider}</span>
			<Choice
				label={words.provider}
				value={fields.service}
				choices={PROVIDERS.map((name) => ({ value: name as string, name: name === "" ? words.other : name }))}
				choose={(service) => change({ service })}
			/>
			{fields.service === "" && (
				<>
					<span className="lab">{words.host}</span>
					<div className="pair wraps">
						<input className="in" aria-label={words.host} value={fields.host} onChange={(event) => change({ host: event.target.value })} />
						<input
							className="in fix"
							inputMode="numeric"
							aria-label={words.port}
							value={fields.port}
							onChange={(event) => change({ port: event.target.value })}
						/>
						<Choice
							label={words.security}
							value={fields.security}
							choices={(["tls", "starttls", "none"] as const).map((value) => ({ value, name: words.securities[value] }))}
							choose={(security) => change({ security })}
							isNarrow
						/>
					</div>
				</>
			)}
			<FormField label={words.user}>
				{({ id }) => (
					<input id={id} className="in" autoComplete="off" value={fields.user} onChange={(event) => change({ user: event.target.value })} />
				)}
			</FormField>
			<FormField label={words.password} hint={words.passwordHint}>
				{({ id, describedBy }) => (
					<input
						id={id}
						ref={password}
						type="password"
						className="in"
						autoComplete="off"
						aria-describedby={describedBy}
						placeholder={channel.secrets.includes("password") ? words.stored : ""}
					/>
				)}
			</FormField>
			<FormField label={words.from} hint={words.fromHint}>
				{({ id, describedBy }) => (
					<input
						id={id}
						className="in"
						aria-describedby={describedBy}
						value={fields.from}
						onChange={(event) => change({ from: event.target.value })}
					/>
				)}
			</FormField>
			<FormField label={words.owner} hint={words.ownerHint}>
				{({ id, describedBy }) => (
					<input
						id={id}
						className="in"
						aria-describedby={describedBy}
						value={fields.owner}
						onChange={(event) => change({ owner: event.target.value })}
					/>
				)}
			</FormField>
			<span />
			<div className="stack2">
				{problem !== undefined && (
					<p className="note bad" role="alert">
						{problem}
					</p>
				)}
				{said !== undefined && <output className="small">{said}</output>}
				<div className="flex wraps">
					<button
						type="button"
						className="btn lg pri"
						aria-busy={isBusy === "testing"}
						onClick={() => void work("testing", () => save().then(test))}
					>
						{isBusy === "testing" ? words.testing : words.saveTest}
					</button>
					<button type="submit" className="btn lg" aria-busy={isBusy === "saving"}>
						{words.save}
					</button>
					{Object.keys(channel.settings).length > 0 && <RemoveChannel removed={removed} />}
				</div>
				<p className="hint">{words.testSay}</p>
				{tested !== undefined && <TestSteps tested={tested} />}
			</div>
		</form>
	);
}

function TestSteps({ tested: { steps, ok, tookMs, channel } }: { readonly tested: Tested }) {
	return (
		<section className="box-card" aria-label={words.test}>
			<h3>
				{words.test} <span className="muted normal small">{fill(words.tookMs, { seconds: (tookMs / 1000).toFixed(1) })}</span>
			</h3>
			<ol className="steps-r" aria-live="polite">
				{steps.map((step) => (
					<li key={step.step}>
						<Icon of={step.ok ? Check : X} small className={step.ok ? "ok-i" : "no"} />
						<span>{channelStepWords[step.step]}</span>
						<small>{step.message}</small>
					</li>
				))}
			</ol>
			{!ok && channel.tested?.problem !== undefined && <p className="note bad">{channel.tested.problem.fix}</p>}
		</section>
	);
}

interface Fields {
	readonly service: string;
	readonly host: string;
	readonly port: string;
	readonly security: "tls" | "starttls" | "none";
	readonly user: string;
	readonly from: string;
	readonly owner: string;
}

function fieldsOf({ settings }: Pick<Channel, "settings">): Fields {
	const text = (name: string) => String(settings[name] ?? "");
	const { security } = settings;
	return {
		service: text("service"),
		host: text("host"),
		port: settings.port === undefined ? "587" : text("port"),
		security: security === "tls" || security === "none" ? security : "starttls",
		user: text("user"),
		from: text("from"),
		owner: text("owner"),
	};
}

/** What is empty is taken away. */
function settingsOf({ service, host, port, security, user, from, owner }: Fields): Settings {
	const given = (text: string) => (text.trim() === "" ? null : text.trim());
	const server = service === "" ? { host: given(host), port: Number(port) || null, security } : { host: null, port: null, security: null };
	return { service: given(service), ...server, user: given(user), from: given(from), owner: given(owner) };
}
