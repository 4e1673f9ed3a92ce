import type { Channel, RequestId } from "@xworkmate/contracts";
import { Fragment, type RefObject, useEffect, useRef, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { channelsWords as words } from "../../strings/plans/channels-words.ts";
import { localTime } from "../../text/local-time.ts";
import { newTurnId } from "../../threads/domain/new-ids.ts";
import { FormField } from "../components/form-field.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { InlineCode } from "../rich-text/inline-code.tsx";
import { hrefOf } from "../state/route.ts";
import { useClock } from "../state/use-clock.ts";
import { channelFields, trackingOf } from "./channel-fields.ts";
import { RemoveChannel } from "./remove-channel.tsx";
import { type Tested, TestSteps } from "./test-steps.tsx";

interface ChannelFormProps {
	readonly channel: Channel & { readonly channel: "whatsapp" | "discord" };
	changed(): void;
	/** Called when the user types something. From then on, the form must stay, even if a command removes the channel. */
	typed(): void;
}

/**
 * The form that sets up a channel, which says where to find each value. A secret is sent from its field directly, and is never in the
 * page's state.
 */
export function ChannelForm({ channel, changed, typed }: ChannelFormProps) {
	const id = channel.channel;
	const form = useRef<HTMLFormElement>(null);
	const [problem, setProblem] = useState<string>();
	const [said, setSaid] = useState<string>();
	const [isBusy, setBusy] = useState<"saving" | "testing">();
	const [tested, setTested] = useState<Tested>();
	const work = async (what: "saving" | "testing") => {
		if (isBusy !== undefined || form.current === null) return;
		setBusy(what);
		setProblem(undefined);
		setSaid(undefined);
		setTested(undefined);
		try {
			const given = readForm(form.current, channel);
			await callApp("setUpChannel", { channel: id, ...given });
			for (const field of form.current.querySelectorAll<HTMLInputElement>("input[type=password]")) field.value = "";
			setSaid(words.saved);
			if (what === "testing") setTested(await callApp("testChannel", { channel: id, requestId: newTurnId() as string as RequestId }));
		} catch (error) {
			setProblem(sayError(error));
		} finally {
			setBusy(undefined);
			// The channel is read again in any case: a failed test does not undo the saved settings, and a request whose answer is lost may have
			// been carried out.
			changed();
		}
	};
	const removed = () => {
		form.current?.reset();
		setTested(undefined);
		setSaid(undefined);
		changed();
	};
	const isSet = Object.keys(channel.settings).length > 0 || channel.secrets.length > 0;
	useStoredValues(form, channel);
	return (
		<form
			ref={form}
			onChange={typed}
			className="form"
			autoComplete="off"
			onSubmit={(event) => {
				event.preventDefault();
				void work("saving");
			}}
		>
			<p className="lead all">{words[id].lead}</p>
			{id === "discord" && (
				<p className="all">
					{words.discord.bot} <a href={hrefOf({ page: "settings", part: "discord" })}>{words.discord.botOpen}</a>
				</p>
			)}
			{channelFields[id].map(({ title, say, fields }) => (
				<Fragment key={title}>
					<h4 className="all">{title}</h4>
					{fields.map(({ name, isSecret = false, label, hint }) => {
						const isStored = isSecret && channel.secrets.includes(name);
						return (
							<FormField key={name} label={label} hint={isStored ? `${hint} ${words.keepSecret}` : hint}>
								{({ id: field, describedBy }) => (
									<input
										id={field}
										name={name}
										className="in"
										type={isSecret ? "password" : "text"}
										autoComplete="off"
										spellCheck={false}
										aria-describedby={describedBy}
										placeholder={isStored ? words.stored : ""}
										defaultValue={isSecret ? "" : String(channel.settings[name] ?? "")}
									/>
								)}
							</FormField>
						);
					})}
					{say !== undefined && <p className="hint all">{say}</p>}
				</Fragment>
			))}
			{id === "whatsapp" && isSet && <WhatsAppState channel={channel} />}
			<span />
			<div className="stack2">
				{problem !== undefined && (
					<p className="note bad" role="alert">
						<InlineCode text={problem} />
					</p>
				)}
				{said !== undefined && <output className="small">{said}</output>}
				<div className="flex wraps">
					<button type="button" className="btn lg pri" aria-busy={isBusy === "testing"} onClick={() => void work("testing")}>
						{isBusy === "testing" ? words.testing : words.saveTest}
					</button>
					<button type="submit" className="btn lg" aria-busy={isBusy === "saving"}>
						{words.save}
					</button>
					{isSet && <RemoveChannel channel={id} removed={removed} />}
				</div>
				<p className="hint">{words[id].testSay}</p>
				{tested !== undefined && <TestSteps tested={tested} />}
			</div>
		</form>
	);
}

/**
 * Shows a setting's new value when it changes, for example because a command sets up or removes the channel. A field that the user typed
 * into keeps its text, because that text exists nowhere else.
 */
function useStoredValues(form: RefObject<HTMLFormElement | null>, { settings }: Channel): void {
	const shown = useRef(settings);
	useEffect(() => {
		const before = shown.current;
		shown.current = settings;
		for (const field of form.current?.querySelectorAll<HTMLInputElement>("input[type=text]") ?? []) {
			const isTyped = field.value !== String(before[field.name] ?? "");
			if (!isTyped) field.value = String(settings[field.name] ?? "");
		}
	}, [form, settings]);
}

/** Whether arrival is tracked, and until when WhatsApp accepts any message to the user's own number. */
function WhatsAppState({ channel }: { readonly channel: Channel }) {
	const now = useClock();
	const tracking = trackingOf(channel);
	const { windowUntil, webhooks } = channel;
	const isOpen = windowUntil !== undefined && Date.parse(windowUntil) > now;
	return (
		<>
			<p className={`note all ${tracking === "tracked" ? "" : "need"}`}>
				<span>
					<InlineCode text={fill(words.whatsapp[tracking], { address: webhooks?.listensOn ?? "" })} />
				</span>
			</p>
			{windowUntil !== undefined && (
				<p className={`note all ${isOpen ? "" : "need"}`}>
					{fill(isOpen ? words.whatsapp.windowOpen : words.whatsapp.windowClosed, { time: localTime(windowUntil, now) })}
				</p>
			)}
		</>
	);
}

/** Reads the fields. An empty setting is removed; an empty secret keeps its stored value. */
function readForm(form: HTMLFormElement, { channel }: ChannelFormProps["channel"]) {
	const settings: Record<string, string | null> = {};
	const secrets: Record<string, string> = {};
	const typed = new FormData(form);
	for (const { name, isSecret } of channelFields[channel].flatMap(({ fields }) => fields)) {
		const text = String(typed.get(name) ?? "").trim();
		if (isSecret !== true) settings[name] = text === "" ? null : text;
		else if (text !== "") secrets[name] = text;
	}
	return { settings, secrets };
}
