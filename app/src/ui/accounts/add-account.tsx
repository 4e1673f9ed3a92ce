import type { AuthProfile, AuthProfileId } from "@xworkmate/contracts";
import { CircleAlert } from "lucide-react";
import { Fragment, type ReactNode, useId, useRef, useState } from "react";
import { accountWords } from "../../strings/agents/account-words.ts";
import { fill } from "../../strings/interface.ts";
import { CopyLine } from "../components/copy-line.tsx";
import { Icon } from "../components/icon.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { visibleName } from "../text/visible-text.ts";
import { type AccountKind, credentialOf, isAccountName, makerOf, otherKind } from "./pasted-secret.ts";

const words = accountWords.adding;

const kinds: readonly { readonly kind: AccountKind; readonly title: string; readonly say: string; readonly steps: readonly ReactNode[] }[] =
	[
		{
			kind: "subscription",
			title: words.subscription,
			say: words.subscriptionSay,
			steps: [
				<Fragment key="run">
					<p>{words.run}</p>
					<CopyLine text="claude setup-token" />
				</Fragment>,
				<p key="sign in">{words.signIn}</p>,
			],
		},
		{ kind: "key", title: words.key, say: words.keySay, steps: [<p key="create">{words.create}</p>] },
		{
			kind: "openai",
			title: words.openai,
			say: words.openaiSay,
			steps: [
				<Fragment key="server">
					<p>{words.server}</p>
					<CopyLine text="export OPENAI_BASE_URL=http://127.0.0.1:11434/v1" />
				</Fragment>,
				<p key="create">{words.openaiCreate}</p>,
			],
		},
	];

interface AddAccountProps {
	/** The account that gets another credential; absent for a new account. */
	readonly replaced?: AuthProfile;
	saved(profile: AuthProfile): void;
	close(): void;
}

/**
 * The form for a new account, or for a new credential of an account. The secret is sent from the field directly, and is never in the page's
 * state.
 */
export function AddAccount({ replaced, saved, close }: AddAccountProps) {
	const [kind, setKind] = useState<AccountKind>(() => (replaced === undefined ? "subscription" : kindOf(replaced)));
	const [name, setName] = useState("");
	const [isEmpty, setEmpty] = useState(true);
	const [other, setOther] = useState<AccountKind>();
	const [problem, setProblem] = useState<string>();
	const [isSaving, setSaving] = useState(false);
	const secret = useRef<HTMLInputElement>(null);
	const said = useId();
	const { steps } = kinds.find((one) => one.kind === kind) ?? { steps: [] };
	const isNamed = name === "" || isAccountName(name);
	const choose = (chosen: AccountKind) => {
		setKind(chosen);
		setOther(otherKind(chosen, secret.current?.value ?? ""));
		setProblem(undefined);
	};
	const clear = () => {
		if (secret.current !== null) secret.current.value = "";
		setEmpty(true);
		setOther(undefined);
	};
	const save = async () => {
		const text = secret.current?.value ?? "";
		if (text === "" || other !== undefined || !isNamed || isSaving) return;
		// Cleared regardless of the outcome, so that the secret does not stay on the page.
		clear();
		setSaving(true);
		setProblem(undefined);
		const provider = makerOf[kind];
		const profileId = replaced?.profileId ?? (name === "" ? undefined : (`${provider}:${name}` as AuthProfileId));
		try {
			const named = { ...(profileId && { profileId }), ...(replaced && { replace: true as const }) };
			saved(await callApp("setAccount", { provider, ...named, credential: credentialOf(kind, text) }));
		} catch (error) {
			setProblem(`${sayError(error)} ${words.cleared}`);
			secret.current?.focus();
		} finally {
			setSaving(false);
		}
	};
	const isWrong = problem !== undefined || other !== undefined;
	const place = replaced === undefined ? words.title : fill(words.replace, { account: visibleName(replaced.profileId) });
	return (
		<form
			className="add-account"
			aria-label={place}
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<h3 className="h-part">{place}</h3>
			<fieldset className="choice" aria-label={words.kind} disabled={isSaving}>
				{kinds
					.filter((one) => replaced === undefined || makerOf[one.kind] === replaced.provider)
					.map((one) => (
						<label key={one.kind} className={one.kind === kind ? "on" : ""}>
							<input type="radio" name="kind" checked={one.kind === kind} onChange={() => choose(one.kind)} />
							<b>{one.title}</b>
							<span className="d">{one.say}</span>
						</label>
					))}
			</fieldset>
			<ol className="how-to">
				{steps.map((step, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the steps of a kind never change
					<Step key={`${kind} ${index}`} number={index + 1}>
						{step}
					</Step>
				))}
				<Step key="secret" number={steps.length + 1}>
					<div className={`field ${isWrong ? "wrong" : ""}`}>
						<label htmlFor={`${said}s`}>{kind === "subscription" ? words.pasteToken : words.pasteKey}</label>
						<input
							id={`${said}s`}
							ref={secret}
							type="password"
							autoComplete="off"
							spellCheck={false}
							// biome-ignore lint/a11y/noAutofocus: the form was opened to fill in this field
							autoFocus
							aria-invalid={isWrong}
							aria-describedby={`${said}e ${said}h`}
							onInput={({ currentTarget }) => {
								setEmpty(currentTarget.value === "");
								setOther(otherKind(kind, currentTarget.value));
								setProblem(undefined);
							}}
						/>
						<div id={`${said}e`} role="alert">
							{isWrong && (
								<p className="err">
									<Icon of={CircleAlert} small />
									<span className="wrap">{other === undefined ? problem : other === "key" ? words.isKey : words.isToken}</span>
								</p>
							)}
						</div>
						{other !== undefined && (
							<button type="button" className="link" onClick={() => choose(other)}>
								{other === "key" ? words.saveAsKey : words.saveAsToken}
							</button>
						)}
						<p className="small muted" id={`${said}h`}>
							{words.variable}
						</p>
					</div>
				</Step>
				{replaced === undefined && (
					<Step key="name" number={steps.length + 2}>
						<div className={`field ${isNamed ? "" : "wrong"}`}>
							<label htmlFor={`${said}n`}>{words.name}</label>
							<input
								id={`${said}n`}
								value={name}
								maxLength={64}
								autoComplete="off"
								spellCheck={false}
								aria-invalid={!isNamed}
								aria-describedby={`${said}nh`}
								onChange={(event) => setName(event.target.value)}
							/>
							<p className="small muted" id={`${said}nh`}>
								{isNamed ? words.nameHint : `${words.nameWrong} ${words.nameHint}`}
							</p>
						</div>
					</Step>
				)}
			</ol>
			<div className="flex">
				<button type="submit" className="btn pri lg" disabled={isEmpty || other !== undefined || !isNamed || isSaving}>
					{isSaving ? words.saving : words.save}
				</button>
				<button type="button" className="btn lg" onClick={close}>
					{words.cancel}
				</button>
			</div>
			<p className="small muted">{words.goes}</p>
		</form>
	);
}

function Step({ number, children }: { readonly number: number; readonly children: ReactNode }) {
	return (
		<li>
			<span className="stepn" aria-hidden="true">
				{number}
			</span>
			<div>{children}</div>
		</li>
	);
}

function kindOf({ provider, type }: AuthProfile): AccountKind {
	if (provider === "openai") return "openai";
	return type === "api_key" ? "key" : "subscription";
}
