import type { Channel, MethodInput, RequestId } from "@xworkmate/contracts";
import { useEffect, useRef, useState } from "react";
import { channelsWords as all } from "../../strings/plans/channels-words.ts";
import { newTurnId } from "../../threads/domain/new-ids.ts";
import { Choice, FormField } from "../components/form-field.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { RemoveChannel } from "./remove-channel.tsx";
import { type Tested, TestSteps } from "./test-steps.tsx";

const words = all.email;
/**
 * Mail providers that the user can choose by name, because the bridge knows their servers. The empty name is for another server, which the
 * user enters.
 */
const PROVIDERS = ["", "Gmail", "Outlook365", "iCloud", "Yahoo", "FastMail", "Zoho"] as const;

type Settings = MethodInput<"xworkmate.channels.configure">["settings"];

interface EmailFormProps {
	readonly channel: Channel;
	changed(): void;
}

/** The form that sets up the sending of mail. The password is sent from its field directly, and is never in the page's state. */
export function EmailForm({ channel, changed }: EmailFormProps) {
	const [fields, setFields] = useFields(channel);
	const [problem, setProblem] = useState<string>();
	const [said, setSaid] = useState<string>();
	const [isBusy, setBusy] = useState<"saving" | "testing">();
	const [tested, setTested] = useState<Tested>();
	const password = useRef<HTMLInputElement>(null);
	const isStored = channel.secrets.includes("password");
	const change = (part: Partial<Fields>) => setFields((before) => ({ ...before, ...part }));
	const work = async (what: "saving" | "testing", act: () => Promise<void>) => {
		if (isBusy !== undefined) return;
		setBusy(what);
		setProblem(undefined);
		setSaid(undefined);
		setTested(undefined);
		try {
			await act();
		} catch (error) {
			setProblem(sayError(error));
		} finally {
			setBusy(undefined);
			changed();
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
		setSaid(all.saved);
	};
	const test = async () => {
		setTested(await callApp("testChannel", { channel: "email", requestId: newTurnId() as string as RequestId }));
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
				void work("saving", save);
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
			<FormField label={words.password} hint={isStored ? `${words.passwordHint} ${all.keepSecret}` : words.passwordHint}>
				{({ id, describedBy }) => (
					<input
						id={id}
						ref={password}
						type="password"
						className="in"
						autoComplete="off"
						aria-describedby={describedBy}
						placeholder={isStored ? all.stored : ""}
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
			{fields.service === "" && (
				<FormField label={words.caFile} hint={words.caFileHint}>
					{({ id, describedBy }) => (
						<input
							id={id}
							className="in"
							spellCheck={false}
							aria-describedby={describedBy}
							value={fields.caFile}
							onChange={(event) => change({ caFile: event.target.value })}
						/>
					)}
				</FormField>
			)}
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
						{isBusy === "testing" ? all.testing : all.saveTest}
					</button>
					<button type="submit" className="btn lg" aria-busy={isBusy === "saving"}>
						{all.save}
					</button>
					{Object.keys(channel.settings).length > 0 && <RemoveChannel channel="email" removed={removed} />}
				</div>
				<p className="hint">{words.testSay}</p>
				{tested !== undefined && <TestSteps tested={tested} />}
			</div>
		</form>
	);
}

/**
 * The form's fields. When a setting changes, for example because another page saves it, the new value is shown, unless the user has typed
 * into its field. Saving stores every field, so an old value would undo the change.
 */
function useFields(channel: Channel) {
	const [fields, setFields] = useState(() => fieldsOf(channel));
	const shown = useRef(fields);
	useEffect(() => {
		const [before, stored] = [shown.current, fieldsOf(channel)];
		shown.current = stored;
		setFields((now) => {
			// Values are saved without surrounding spaces, so adding one is not an edit.
			const typed = Object.entries(now).filter(([name, value]) => value.trim() !== before[name as keyof Fields].trim());
			return { ...stored, ...Object.fromEntries(typed) };
		});
	}, [channel]);
	return [fields, setFields] as const;
}

interface Fields {
	readonly service: string;
	readonly host: string;
	readonly port: string;
	readonly security: "tls" | "starttls" | "none";
	readonly user: string;
	readonly from: string;
	readonly owner: string;
	readonly caFile: string;
}

/** The default port of each kind of encryption, the same as in the bridge. */
const ports = { tls: 465, starttls: 587, none: 25 } as const;

/**
 * If the encryption or the port isn't set, the value that the bridge derives is shown. Any other setting that isn't set is shown as empty.
 */
function fieldsOf({ settings }: Pick<Channel, "settings">): Fields {
	const text = (name: string) => String(settings[name] ?? "");
	const derived = settings.port === ports.tls ? "tls" : "starttls";
	const security = (["tls", "starttls", "none"] as const).find((one) => one === settings.security) ?? derived;
	return {
		service: text("service"),
		host: text("host"),
		port: String(settings.port ?? ports[security]),
		security,
		user: text("user"),
		from: text("from"),
		owner: text("owner"),
		caFile: text("caFile"),
	};
}

const noServer = { host: null, port: null, security: null, caFile: null };

/** A setting whose field is empty is removed. */
function settingsOf({ service, host, port, security, user, from, owner, caFile }: Fields): Settings {
	const given = (text: string) => (text.trim() === "" ? null : text.trim());
	const server = service === "" ? { host: given(host), port: Number(port) || null, security, caFile: given(caFile) } : noServer;
	return { service: given(service), ...server, user: given(user), from: given(from), owner: given(owner) };
}
