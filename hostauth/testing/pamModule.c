/*
 * A PAM module for tests. It sends its messages in one call of the conversation, as SSSD does for two factors and smart cards, and reads
 * every answer. Arguments: the messages in order (`KINDS`, 33 at most), and
 *
 *   again          a second call, with the same messages
 *   reads=<file>   appends the answers to a file
 *   code=<number>  returns this after a conversation without errors
 */
#include <security/pam_appl.h>
#include <security/pam_modules.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 33

static const struct {
  const char *name;
  struct pam_message message;
} KINDS[] = {
  { "info", { PAM_TEXT_INFO, "Welcome" } },
  { "error", { PAM_ERROR_MSG, "Careful" } },
  { "password", { PAM_PROMPT_ECHO_OFF, "First Factor: " } },
  { "second", { PAM_PROMPT_ECHO_OFF, "Second Factor: " } },
  { "shown", { PAM_PROMPT_ECHO_ON, "Code: " } },
};

struct options {
  const struct pam_message *messages[MOST];
  int count, again, code;
  FILE *reads;
};

static struct options parse(int argc, const char **argv) {
  struct options options = { .code = PAM_SUCCESS };
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "again") == 0) options.again = 1;
    if (strncmp(argv[i], "code=", 5) == 0) options.code = atoi(argv[i] + 5);
    if (strncmp(argv[i], "reads=", 6) == 0) options.reads = fopen(argv[i] + 6, "a");
    for (size_t kind = 0; kind < sizeof KINDS / sizeof *KINDS; kind++)
      if (strcmp(argv[i], KINDS[kind].name) == 0 && options.count < MOST) options.messages[options.count++] = &KINDS[kind].message;
  }
  return options;
}

static int converse(pam_handle_t *pamh, struct options *options) {
  const struct pam_conv *conv = NULL;
  struct pam_response *answers = NULL;
  if (pam_get_item(pamh, PAM_CONV, (const void **)&conv) != PAM_SUCCESS || conv == NULL) return PAM_SYSTEM_ERR;
  int result = conv->conv(options->count, options->messages, &answers, conv->appdata_ptr);
  if (result != PAM_SUCCESS) {
    if (options->reads) fprintf(options->reads, "code %d, %s\n", result, answers ? "answers" : "no answers");
    return result;
  }
  for (int i = 0; i < options->count; i++) {
    if (options->reads) fprintf(options->reads, "%d %s\n", answers[i].resp_retcode, answers[i].resp ? answers[i].resp : "-");
    free(answers[i].resp);
  }
  free(answers);
  return PAM_SUCCESS;
}

int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  (void)flags;
  struct options options = parse(argc, argv);
  int result = options.count > 0 ? converse(pamh, &options) : PAM_SUCCESS;
  if (result == PAM_SUCCESS && options.again) result = converse(pamh, &options);
  if (options.reads) fclose(options.reads);
  return result == PAM_SUCCESS ? options.code : result;
}

int pam_sm_acct_mgmt(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  return pam_sm_authenticate(pamh, flags, argc, argv);
}

int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  (void)pamh, (void)flags, (void)argc, (void)argv;
  return PAM_SUCCESS;
}
