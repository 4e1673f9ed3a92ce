/** Settings > Channels and Settings > Contacts. */
export const channelsWords = {
	lead: "Where plans send their messages.",
	loading: "Loading channels…",
	failed: "The channels couldn’t be loaded.",
	again: "Try again",
	ready: "Ready",
	notReady: "Not set up",
	trouble: "Needs attention",
	complete: "Set up, no current test",
	testedAt: "tested {time}",
	testFailed: "Test failed, {time}",
	testUnknown: "Tested {time}, but it’s unknown whether the message arrived",
	stored: "Stored",
	keepSecret: "Leave this field empty to keep the stored value.",
	openOne: { whatsapp: "Set up WhatsApp", discord: "Set up Discord" },
	save: "Save",
	saveTest: "Save and test",
	saved: "Saved.",
	test: "Test",
	testing: "Sending a real message…",
	tookMs: "{time} in total",
	remove: "Remove {channel}…",
	removeTitle: "Remove {channel}?",
	removeSay: "Its settings and secrets are removed. Messages for {channel} are held for your review.",
	removeSayDiscord:
		"Your user ID, the usual channel and the time zone are removed. Messages to you are held for your review. The bot’s token under Settings > Discord isn’t removed: while it is set, messages to contacts are still sent.",
	removeNow: "Remove {channel}",
	keep: "Cancel",
	whatsapp: {
		lead: "Sent through Meta’s Cloud API. You need a business account with a phone number.",
		testSay:
			"The test sends a real WhatsApp message to your own number. Write to the business number first: unless you wrote in the last 24 hours, WhatsApp accepts only a template.",
		tracked:
			"The bridge listens for delivery reports on `{address}` and can verify them. They arrive once the webhook is registered with Meta and its requests reach that address. Until then, the outcome of each message is unknown.",
		unheard:
			"Delivery isn’t tracked, because the bridge doesn’t listen for reports. A message counts as sent once WhatsApp accepts it. To track delivery, enter a webhook address below, such as 127.0.0.1:8790, and restart the bridge.",
		untracked:
			"Delivery isn’t tracked. A message counts as sent once WhatsApp accepts it. To track delivery, set the app secret and the verify token, and register the webhook with Meta. The bridge listens on `{address}`.",
		windowOpen: "You wrote to the business number, so any message can be sent to your own number until {time}.",
		windowClosed:
			"The last message from you that reached the bridge is more than 24 hours old. As far as the bridge knows, the window for free-form messages has been closed since {time}. Write to the business number to reopen it. If this notice stays, WhatsApp’s reports aren’t reaching the bridge.",
		window: "Free-form messages can be sent only within 24 hours of the recipient’s last message. After that, only a template can be sent.",
		webhook:
			"The callback URL in Meta’s app settings is your public HTTPS address plus /webhooks/whatsapp. Forward requests from there to the webhook address below, where the bridge listens.",
		groups: { access: "Access", template: "Template", webhooks: "Webhooks" },
		fields: {
			accessToken: {
				label: "Access token",
				hint: "In Meta’s business settings, open System users. Generate a token for your app that never expires and has the permission whatsapp_business_messaging.",
			},
			phoneNumberId: {
				label: "Phone number ID",
				hint: "In Meta’s app dashboard, under WhatsApp > API setup. It is not the phone number itself.",
			},
			apiVersion: { label: "API version", hint: "If you leave it empty, XWorkmate uses the version it was built for." },
			owner: {
				label: "Your own number",
				hint: "With its country code, such as +15550117. Plans that say “WhatsApp me” send to this number.",
			},
			template: {
				label: "Template",
				hint: "The name of an approved template without parameters. Optional: tests send it, so they also reach numbers that haven’t written in the last 24 hours. Plans don’t send it.",
			},
			templateLanguage: { label: "Template language", hint: "Meta’s code for it, such as en or en_US." },
			appSecret: {
				label: "App secret",
				hint: "In Meta’s app dashboard, under App settings > Basic. Requests that aren’t signed with it are ignored.",
			},
			verifyToken: {
				label: "Verify token",
				hint: "Any long text that you choose. Enter the same text in Meta’s app dashboard, under WhatsApp > Configuration.",
			},
		},
	},
	discord: {
		lead: "The assistant’s bot posts the messages, and you can review and approve on Discord too.",
		testSay: "The test sends a real message from the bot to the place where “Discord me” messages go.",
		bot: "Set the bot’s token, and who may talk to the bot, under Settings > Discord.",
		botOpen: "Open Discord",
		mentions: "Mentions such as @everyone are sent as plain text and notify no one.",
		groups: { access: "Message destination", times: "Times in Discord messages" },
		fields: {
			timezone: {
				label: "Time zone",
				hint: "Such as Europe/Berlin. “Remind me at 9” on Discord means 9:00 in this time zone. If you leave this field empty, the time zone of the bridge’s computer is used.",
			},
			owner: {
				label: "You on Discord",
				hint: "Your user ID: in Discord, turn on Developer Mode, then right-click your name and choose Copy User ID. “Discord me” messages go to your direct messages, unless you’ve set a usual channel.",
			},
			channel: {
				label: "Usual channel",
				hint: "A channel’s ID: right-click the channel and choose Copy Channel ID. Optional: “Discord me” messages then go there, where others may read them.",
			},
		},
	},
	inboxSay: "Messages appear under Inbox in the sidebar. There is nothing to set up.",
	email: {
		lead: "Any mail server works. The password is stored on the bridge and never shown again.",
		provider: "Provider",
		other: "Another server",
		host: "Server",
		port: "Port",
		security: "Encryption",
		securities: { tls: "TLS", starttls: "STARTTLS", none: "None" },
		user: "User name",
		password: "Password",
		passwordHint: "Use an app password if your provider offers one.",
		from: "Send as",
		fromHint: "If you leave it empty, the user name is used, provided that it is an email address.",
		owner: "Your own address",
		ownerHint:
			"Plans that say “Email me” send to this address. If you leave it empty, the user name is used, provided that it is an email address.",
		testSay: "The test sends a real email with one line of text.",
		caFile: "Certificate file",
		caFileHint:
			"Only for your own server: the absolute path, on the bridge’s computer, to the certificate of the server’s certificate authority.",
		ownServer: "Your own server",
	},
	contacts: {
		title: "Contacts",
		loading: "Loading contacts…",
		failed: "The contacts couldn’t be loaded.",
		again: "Try again",
		lead: "The people who can receive messages. Agents can’t add contacts.",
		empty: "No one yet. Messages go to you.",
		name: "Name",
		address: "Email address",
		add: "Add contact",
		save: "Save",
		cancel: "Cancel",
		edit: "Edit {name}",
		remove: "Remove {name}",
		removeTitle: "Remove {name}?",
		removeSay:
			"Messages to {name} are held for your review when they’re due, even if you add {name} again here. To avoid that, choose another recipient in the plans that send to {name}.",
		removeNow: "Remove",
		removed: "{name} was removed.",
		whatsapp: "WhatsApp number",
		discord: "Discord user or channel, such as user:200 or channel:300",
		missing: "Enter a name and an address.",
	},
} as const;
