/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluate formulas of counters on a small stack. */
#include "common/postfix.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_MAX = 32 };

struct stack {
	double values[STACK_MAX];
	size_t depth;
};

static bool push(struct stack *stack, double value)
{
	if (stack->depth == STACK_MAX)
		return false;
	stack->values[stack->depth++] = value;
	return true;
}

static double combined(char operator, double a, double b)
{
	switch (operator) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	default:
		/* PAPI does not check and would return infinity. */
		return b == 0 ? NAN : a / b;
	}
}

static bool combine(struct stack *stack, char operator)
{
	double *top;

	if (stack->depth < 2)
		return false;
	stack->depth--;
	top = &stack->values[stack->depth - 1];
	*top = combined(operator, top[0], top[1]);
	return true;
}

/* Digits only: strtoul() alone would accept signs and blanks, too. */
static bool read_number(const char **at, unsigned long *number)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*number = strtoul(*at, &end, 10);
	*at = end;
	return errno == 0;
}

static bool take_token(const char **at, const struct sw_postfix_input *input,
		       struct stack *stack)
{
	unsigned long number;

	if (**at && strchr("+-*/", **at))
		return combine(stack, *(*at)++);
	if (**at == '#') {
		++*at;
		return push(stack, input->clock_hz);
	}
	if (**at != 'N')
		return read_number(at, &number) && push(stack, (double)number);
	++*at;
	return read_number(at, &number) && number < input->count &&
	       push(stack, input->terms[number]);
}

int sw_postfix_value(const char *formula, const struct sw_postfix_input *input,
		     double *value)
{
	struct stack stack = { .depth = 0 };
	const char *at = formula;

	while (*at)
		if (!take_token(&at, input, &stack) || (*at && *at++ != '|'))
			goto none;
	if (stack.depth != 1)
		goto none;
	*value = stack.values[0];
	return 0;
none:
	errno = EINVAL;
	return -1;
}
