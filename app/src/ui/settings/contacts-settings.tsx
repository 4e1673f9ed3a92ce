import type { ChannelId, Contact, ContactId } from "@xworkmate/contracts";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { fill } from "../../strings/interface.ts";
import { channelsWords } from "../../strings/plans/channels-words.ts";
import { newTurnId } from "../../threads/domain/new-ids.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { FormField } from "../components/form-field.tsx";
import { Icon } from "../components/icon.tsx";
import { ReadState } from "../components/read-state.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { channelIcons } from "../plans/plan-look.ts";
import { useContacts } from "../plans/use-recipients.ts";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { visibleName } from "../text/visible-text.ts";

const words = channelsWords.contacts;

/** The contacts that can receive messages. */
export function ContactsSettings() {
	const { value, problem, read } = useContacts();
	const [edited, setEdited] = useState<Contact | "new">();
	const [asked, setAsked] = useState<Contact>();
	const askedName = visibleName(asked?.name ?? "");
	const remove = ({ contactId, name }: Contact) =>
		attempt(async () => {
			await callApp("removeContact", { contactId });
			say(fill(words.removed, { name: visibleName(name) }));
			read();
		});
	return (
		<div className="stack-l">
			<p className="lead">{words.lead}</p>
			<ReadState isRead={value !== undefined} problem={problem} words={words} read={read} />
			{value?.length === 0 && <p className="muted">{words.empty}</p>}
			<ul className={value?.length ? "list contacts" : ""}>
				{value?.map((contact) => (
					<li key={contact.contactId} className="flex">
						<b>{visibleName(contact.name)}</b>
						<span className="addresses">
							{Object.entries(contact.addresses).map(([channel, address]) => (
								<span key={channel} className="ch muted">
									<Icon of={channelIcons[channel as ChannelId]} small />
									{visibleName(address)}
								</span>
							))}
						</span>
						<span className="grow" />
						<button
							type="button"
							className="ib"
							aria-label={fill(words.edit, { name: visibleName(contact.name) })}
							onClick={() => setEdited(contact)}
						>
							<Icon of={Pencil} small />
						</button>
						<button
							type="button"
							className="ib"
							aria-label={fill(words.remove, { name: visibleName(contact.name) })}
							onClick={() => setAsked(contact)}
						>
							<Icon of={Trash2} small />
						</button>
					</li>
				))}
			</ul>
			<ConfirmDialog
				isOpen={asked !== undefined}
				title={fill(words.removeTitle, { name: askedName })}
				say={fill(words.removeSay, { name: askedName })}
				cancel={words.cancel}
				word={words.removeNow}
				isDanger
				confirm={() => (asked === undefined ? undefined : remove(asked))}
				close={() => setAsked(undefined)}
			/>
			{edited === undefined ? (
				<button type="button" className="btn" onClick={() => setEdited("new")}>
					{words.add}
				</button>
			) : (
				<ContactForm
					key={edited === "new" ? "new" : edited.contactId}
					{...(edited !== "new" && { contact: edited })}
					done={() => {
						setEdited(undefined);
						read();
					}}
				/>
			)}
		</div>
	);
}

function ContactForm({ contact, done }: { readonly contact?: Contact; done(): void }) {
	const [name, setName] = useState(contact?.name ?? "");
	const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>(contact?.addresses ?? {});
	const [problem, setProblem] = useState<string>();
	const save = async () => {
		const given = Object.entries(addresses).filter(([, address]) => address.trim() !== "");
		if (name.trim() === "" || given.length === 0) return setProblem(words.missing);
		const contactId = contact?.contactId ?? (idOf(name) as ContactId);
		try {
			await callApp("putContact", {
				contactId,
				name,
				addresses: Object.fromEntries(given.map(([channel, address]) => [channel, address.trim()])),
			});
			done();
		} catch (error) {
			setProblem(sayError(error));
		}
	};
	return (
		<form
			className="form"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<FormField label={words.name}>
				{({ id }) => <input id={id} className="in" value={name} onChange={(event) => setName(event.target.value)} />}
			</FormField>
			{(["email", "whatsapp", "discord"] as const).map((channel, index) => (
				<FormField key={channel} label={channel === "email" ? words.address : words[channel]} problem={index === 0 ? problem : undefined}>
					{({ id, describedBy }) => (
						<input
							id={id}
							type={channel === "email" ? "email" : "text"}
							className="in"
							aria-describedby={describedBy}
							value={addresses[channel] ?? ""}
							onChange={(event) => setAddresses({ ...addresses, [channel]: event.target.value })}
						/>
					)}
				</FormField>
			))}
			<span />
			<div className="flex">
				<button type="submit" className="btn pri">
					{words.save}
				</button>
				<button type="button" className="btn" onClick={done}>
					{words.cancel}
				</button>
			</div>
		</form>
	);
}

/** A new id that resembles the name. */
function idOf(name: string): string {
	const plain = name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-|-$/g, "")
		.slice(0, 40);
	return `${plain === "" ? "contact" : plain}-${newTurnId()
		.toLowerCase()
		.replace(/[^a-z0-9]/g, "")
		.slice(-4)}`;
}
